"""Why something is over, in the language of the screen: programs are told in English."""

import re

from dormie_client.errors import ClosedError
from dormie_protocol.messages import Language

# What programs read -> what a person reads in French; what is in brackets stays as it is.
FRENCH: dict[str, str] = {
    r"The table is closed\.": "La table est fermée.",
    r"The host has sent you away from this table\.": "L’hôte vous a renvoyé de cette table.",
    r"You may not watch this table any more\.": "Vous ne pouvez plus regarder cette table.",
    r"The session was closed\.": "La session est terminée.",
    r"The server does not know this token\.": "Le serveur ne connaît pas ce jeton.",
    r"There is no Dormie server at (.*): nobody answers there\.": (
        "Il n’y a pas de serveur Dormie à {0} : personne ne répond."
    ),
    r"There is no Dormie server at (.*): it does not answer in time\.": (
        "Il n’y a pas de serveur Dormie à {0} : il ne répond pas à temps."
    ),
    r"There is no Dormie server at (.*): its certificate cannot be trusted\.": (
        "Il n’y a pas de serveur Dormie à {0} : son certificat n’est pas sûr."
    ),
    r"There is no Dormie server at (.*): (.*)\.": "Il n’y a pas de serveur Dormie à {0} ({1}).",
    r"There is no Dormie server at (.*), or it is too old or too new\.": (
        "Il n’y a pas de serveur Dormie à {0}, ou il est trop vieux ou trop neuf."
    ),
    r"This is not the address of a server: it looks like (.*)\.": (
        "Ce n’est pas l’adresse d’un serveur : elle ressemble à {0}."
    ),
    r"This is not an invitation: it looks like (.*)\.": (
        "Ce n’est pas une invitation : elle ressemble à {0}."
    ),
    r"The server could not be started: (.*)": "Le serveur n’a pas pu démarrer : {0}",
}


def over_text(error: ClosedError, language: Language) -> str:
    """Why it is over.

    >>> over_text(ClosedError("The table is closed."), "fr")
    'La table est fermée.'
    """
    if language == "fr":
        for english, french in FRENCH.items():
            if found := re.fullmatch(english, str(error)):
                return french.format(*found.groups())
    return str(error)
