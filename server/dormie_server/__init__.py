"""The house: tables and tournaments, the stores that remember them, the sockets that serve."""
