"""Why something is over, in the language of the screen: programs are told in English."""

import re

from dormie_client.errors import ClosedError
from dormie_protocol.messages import Language
from dormie_protocol.words import SENTENCES

# What programs read -> what a person reads in French; what is in brackets stays as it is.
FRENCH: dict[str, str] = {
    r"The table is closed\.": "La table est fermée.",
    r"The host has sent you away from this table\.": "L’hôte vous a renvoyé de cette table.",
    r"You may not watch this table any more\.": "Vous ne pouvez plus regarder cette table.",
    r"The session was closed\.": "La session est terminée.",
    r"The session failed, by a mistake of this program\.": (
        "La session a échoué, par une faute de ce programme."
    ),
    r"This table is followed no longer\.": "Cette table n’est plus suivie.",
    r"The server does not understand this program\.": "Le serveur ne comprend pas ce programme.",
    r"The server refused a message of this program as too long\.": (
        "Le serveur a refusé un message trop long de ce programme."
    ),
    r"The server could not read what this program said; one of the two is too old\.": (
        "Le serveur n’a pas pu lire ce programme ; l’un des deux est trop vieux."
    ),
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
    r"There is no Dormie server at (.*): it answers with HTTP status (.*)\.": (
        "Il n’y a pas de serveur Dormie à {0} : il répond par le statut HTTP {1}."
    ),
    r"There is no Dormie server at (.*): it does not speak TLS\.": (
        "Il n’y a pas de serveur Dormie à {0} : il ne parle pas TLS."
    ),
    r"There is no Dormie server at (.*): it does not speak as it should\.": (
        "Il n’y a pas de serveur Dormie à {0} : il ne parle pas comme il faut."
    ),
    r"There is no Dormie server at (.*): it closes the connection\.": (
        "Il n’y a pas de serveur Dormie à {0} : il ferme la connexion."
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
        said = next((fr for en, fr in SENTENCES.values() if en == str(error)), None)
        if said is not None:
            return said
        for english, french in FRENCH.items():
            if found := re.fullmatch(english, str(error)):
                return french.format(*found.groups())
    return str(error)
