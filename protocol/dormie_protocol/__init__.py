"""Every message a client and a server may say to each other, and how it is written."""
