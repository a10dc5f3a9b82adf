"""What `--help` says of the commands that lead to a table: what they are for, and examples."""

from typing import NamedTuple

_PLAY = """\
examples:
  dormie play                                     the table where you sit, or a new one of four
  dormie play --bots medium,easy,easy             a new table with three bots
  dormie play http://192.168.1.20:8421 PARTEE23   a friend's table
  dormie play "http://golf.example/#table=PARTEE23&key=birdie"    an invitation
  dormie play --watch PARTEE23                    look on (so does `dormie watch PARTEE23`)
  dormie play --lobby                             look around first (so does `dormie lobby`)
  dormie play --size 2 --listed -o when_out=bot   a table that everybody finds in the lobby
  dormie play --local --bots medium               without a server: one starts and ends with you
  dormie play --game patience                     Golf Patience, alone
  dormie play --game patience --seats 3           Golf Patience, three on one deal
  dormie play --size 2 -o match_play=true         hole against hole
  dormie play --variant playroom --option rows=3 --option cols=3
  dormie play --lang fr --verbosity moves=brief,scores=full

Without an address it is DORMIE_URL, or this machine. `dormie rules` lists the variants and options.
Who you are is kept for each server in DORMIE_HOME (~/.config/dormie): with another one you are
somebody else. Lines are read from a pipe as well: each one waits until something is asked.
"""

_WATCH = """\
examples:
  dormie watch PARTEE23                               at this machine's house
  dormie watch http://192.168.1.20:8421 PARTEE23
  dormie watch "http://golf.example/#table=PARTEE23&key=birdie"    where a password is needed
  dormie watch PARTEE23 --list --verbosity full       to listen to

`dormie watch` is `dormie play --watch`.
"""

_LOBBY = """\
examples:
  dormie lobby                                        at this machine's house
  dormie lobby http://192.168.1.20:8421 --name Ada

`dormie lobby` is `dormie play --lobby`.
"""


class Help(NamedTuple):
    """What there is to say of a command."""

    about: str
    examples: str


def help_of(command: str) -> Help:
    """What there is to say of *command*; it plays, unless it is one of the others.

    >>> help_of("dormie watch").about
    'Look on at a table, without a seat of your own.'
    """
    return _HELP.get(command, Help("Play Golf in this terminal, line by line.", _PLAY))


_HELP = {
    "dormie watch": Help("Look on at a table, without a seat of your own.", _WATCH),
    "dormie lobby": Help("Look around in the house before you sit down.", _LOBBY),
}
