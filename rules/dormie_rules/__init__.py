"""The games themselves: cards, moves and scores, and nothing that ticks, rolls or talks."""
