"""The hall of the house: where one is before one is at a table, and after it."""

from dataclasses import dataclass, replace

from dormie_client.commands import Command, Unclear, read_command
from dormie_client.errors import RefusedError
from dormie_client.help_text import help_lines
from dormie_client.here import End, Here
from dormie_client.typed_lines import Lines
from dormie_client.words import does

CHOICES = {
    "en": "lobby, quick, new, join CODE, watch CODE, mine, ? or quit",
    "fr": "salon, vite, nouvelle, rejoins CODE, observe CODE, miennes, ? ou quitte",
}


@dataclass
class Hall:
    """One player at no table."""

    here: Here
    lines: Lines

    async def stay(self, first: Command | None = None) -> End:
        """Do what is typed until that leads to a table or out of the house.

        *first* is done before anything is asked. Raises ClosedError when the server is gone.
        """
        end = await self._obey(first) if first else None
        while end is None:
            end = await self._hear()
        return end

    async def _hear(self) -> End | None:
        language, console = self.here.show.screen.language, self.here.show.console
        colon = " : " if language == "fr" else ": "
        console.ask(f"{self.here.word('ask_hall')}{colon}{CHOICES[language]}")
        line = await self.lines.next()
        if line is None:
            return "quit"
        console.heard(line)
        if not line.strip():
            return None
        try:
            return await self._obey(read_command(line, language))
        except Unclear as unclear:
            self.here.show.unclear(unclear)
        return None

    async def _obey(self, command: Command) -> End | None:
        """Do one thing; what cannot be done is said."""
        word, show = does(command.verb), self.here.show
        try:
            if word is not None:
                return await word(replace(self.here, at=None, seen=None), command)
            return self._here_only(command)
        except RefusedError as no:
            show.refusal(no)
        except Unclear as unclear:
            show.unclear(unclear)
        return None

    def _here_only(self, command: Command) -> End | None:
        show = self.here.show
        match command.verb:
            case "quit":
                return "quit"
            case "help":
                page = command.rest or "house"
                show.console.say(*help_lines(page, show.screen.language))
            case "brief" | "normal" | "full" as level:
                show.loud(level, command.rest)
            case _:
                raise Unclear("no_table_here")
        return None
