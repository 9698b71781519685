"""Commands that start a match: against a bot, a waiting player, a named one, or on this device."""

from millrace.protocol import MatchId, SeatPlan

from ...match_commands import ME, OPEN, bot
from ..formatting import live_line, own_line, seek_line
from ..usage import UsageError
from .command import Command, Group
from .options import OPTION_WORDS, Options, numbers_of_players, parse_level, parse_options, plans_of, setup_of
from .session import COMPLETED, Entry, Session, first_of
from .tournaments import join_tournament, tournament_of


async def _play_now(session: Session, words: list[str]) -> None:
    game = session.game(words[0])
    # Otherwise the server would end the search, and say that another connection did.
    session.stop_search()
    session.open_match((await session.me.lobby.play_now(game.name)).match)


async def _play_bot(session: Session, words: list[str]) -> None:
    game = session.game(words[0])
    # What is neither a number nor an option names a bot, so that a wrong name is said to be one.
    is_level = [word.isdecimal() or (word[0].isalpha() and word not in OPTION_WORDS) for word in words[1:]]
    count = is_level.index(False) if False in is_level else len(is_level)
    options = parse_options(words[1 + count :], game, 1 + count if count > 1 else None)
    bots = tuple(bot(parse_level(word, game)) for word in words[1 : 1 + count]) or (bot(1),)
    await _create(session, words[0], options._replace(opponents=bots), fill=bots[-1])


async def _play_here(session: Session, words: list[str]) -> None:
    options = parse_options(words[1:], session.game(words[0]))
    await _create(session, words[0], options, fill=ME)


async def _post_seek(session: Session, words: list[str]) -> None:
    options = parse_options(words[1:], session.game(words[0]))
    await _create(session, words[0], options, fill=OPEN, listed=True)


async def _create_private(session: Session, words: list[str]) -> None:
    game = session.game(words[0])
    options = parse_options(words[1:], game)
    match = await _create(session, words[0], options, fill=OPEN)
    if any(plan.occupant == "open" for plan in plans_of(options, game, OPEN)):
        session.face.say(f"The match is {match}. Others join it with: join {match}")


async def _create(session: Session, name: str, options: Options, *, fill: SeatPlan, listed: bool = False) -> MatchId:
    game = session.game(name)
    plans = plans_of(options, game, fill)
    made = await session.me.create(
        game.name,
        plans,
        setup=setup_of(options, game, len(plans)),
        clock=options.clock,
        shuffle=plans.count(ME) == 1,
        rated=options.rated,
        listed=listed,
    )
    session.open_match(made.match)
    return made.match


async def _find(session: Session, words: list[str]) -> None:
    game = session.game(words[0])
    options = parse_options(words[1:], game)
    if options.setup or options.opponents:
        raise UsageError("`find` always uses the game's own start. Use seek or challenge for another one.")
    lobby, seats = session.me.lobby, options.seats or game.seats[0]
    session.search(lobby.find_match(game.name, seats=seats, clock=options.clock, rated=options.rated))
    session.face.say("Looking for an opponent. Type stop to cancel.")


async def _stop(session: Session, _: list[str]) -> None:
    session.face.say("The search has ended." if session.is_searching else "You were not looking for an opponent.")
    session.stop_search()


async def _challenge(session: Session, words: list[str]) -> None:
    game = session.game(words[1])
    options = parse_options(words[2:], game)
    plans = plans_of(options, game, OPEN)
    setup = setup_of(options, game, len(plans))
    made = await session.me.challenge(words[0], game.name, plans, setup=setup, clock=options.clock, rated=options.rated)
    session.open_match(made.match)


async def _list_seeks(session: Session, _: list[str]) -> None:
    seeks = await first_of(session.me.lobby.seeks())
    waiting = session.me.lobby.waiting_challenges
    lines = [(seek.match, f"{seek_line(seek, session.me.games)}  <- a challenge to you") for seek in waiting]
    lines += [(seek.match, seek_line(seek, session.me.games)) for seek in seeks]
    session.names.update(seek.by.name for seek in (*waiting, *seeks))
    session.list_matches(
        lines, "join", "Open matches:", "There are no challenges and no open matches. Type seek GAME to open one."
    )


async def _join(session: Session, words: list[str]) -> None:
    if (tournament := tournament_of(session, words[0])) is not None:
        await join_tournament(session, tournament, words[1:])
        return
    seat = None
    if len(words) > 1:
        if not words[1].isdecimal() or int(words[1]) < 1:
            raise UsageError("Usage: join MATCH [SEAT]")
        seat = int(words[1]) - 1
    session.open_match((await session.me.join(session.match_of(words), seat)).match)


async def _list_mine(session: Session, _: list[str]) -> None:
    matches = await first_of(session.me.lobby.your_matches())
    listed = [(each.match, own_line(each, session.me.games)) for each in matches]
    session.list_matches(listed, "open", "Your matches:", "You are playing no matches.")


async def _list_live(session: Session, _: list[str]) -> None:
    matches = await first_of(session.me.lobby.live_matches())
    listed = [(each.match, live_line(each, session.me.games)) for each in matches]
    session.list_matches(listed, "open", "Live matches:", "There are no live matches.")


async def _list_bots(session: Session, words: list[str]) -> None:
    game = session.game(words[0])
    named = {level: name for name, level in game.level_names.items()}
    lines = [
        (str(level), f"{named.get(level, ''):<10} {game.level_descriptions[level - 1]}")
        for level in range(1, len(game.level_descriptions) + 1)
    ]
    lines += [(each.name, f"{each.name:<10} {each.title}: {each.description}") for each in game.personalities]
    listed = [Entry(line, name, f"bot {game.name} {name}") for name, line in lines]
    online = [each.player.name for each in await first_of(session.me.lobby.online_bots())]
    listed += [Entry(f"{name}, a program", name, f"challenge {name} {game.name}") for name in online]
    heading = f"The bots of {game.title}:" if listed else f"{game.title} has bots of the levels 1 to {game.levels}."
    session.list_entries(listed, heading)


async def _list_games(session: Session, _: list[str]) -> None:
    listed = list[Entry]()
    for game in session.me.games:
        titles = ", ".join(dict.fromkeys(start.title for start in game.starts))
        line = f"{game.name}: {game.title}, for {numbers_of_players(game)}. {game.description}"
        starts = f" Other starts: {titles}." if titles else ""
        listed.append(Entry(line + starts, game.name, f"bot {game.name} easy{COMPLETED}"))
    session.list_entries(listed, "Games; pick one to play a bot:")


async def _open(session: Session, words: list[str]) -> None:
    session.open_match(session.match_of(words))


STARTING = Group(
    "Playing",
    (
        Command("now GAME", "play a waiting player, or else a bot", _play_now, "now morris", also="play start"),
        Command("bot GAME [LEVEL...]", "play one bot or several", _play_bot, "bot battlesheep 1 5 hunter", "computer"),
        Command("here GAME [OPTION...]", "play all seats on this device", _play_here, "here battlesheep for 3"),
        Command("mine", "list the matches that you are playing", _list_mine),
        Command("live", "list matches to watch", _list_live, also="spectate"),
        Command("open MATCH", "continue a match of yours, or watch one", _open, "open 2"),
        Command("games", "list the games and their starts", _list_games),
        Command("bots GAME", "list the bots of a game", _list_bots, "bots morris"),
    ),
)
MEETING = Group(
    "Against other players",
    (
        Command(
            "find GAME [OPTION...]", "find opponents: for 3, rated, 5+3", _find, "find battlesheep for 3 rated 5+3"
        ),
        Command("stop", "stop looking for an opponent", _stop),
        Command(
            "challenge NAME GAME [OPTION...]",
            "challenge a player or a bot",
            _challenge,
            "challenge Beatrix morris rated 5+3",
        ),
        Command("seek GAME [OPTION...]", "open a match for everyone to join", _post_seek, "seek morris 10+5"),
        Command(
            "private GAME [OPTION...]",
            "open a match for those who know its id",
            _create_private,
            "private mingmang 3 days per move",
        ),
        Command("seeks", "list challenges to you, and open matches", _list_seeks),
        Command("join MATCH [SEAT]", "accept a challenge, or take an open seat", _join, "join 1"),
    ),
    needs_others=True,
)
