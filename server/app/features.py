"""Builds every feature of the server from shared services."""

import random
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence

from millrace.engine.games import GAMES
from millrace.engine.levels.opponents import OPPONENTS
from millrace.protocol import Code, IdentityId, LadderSummary, Player, TournamentId, TournamentSummary
from millrace.protocol.refusal import Refusal

from ..archive.archive_handler import ArchiveHandler, QueryBuilder
from ..archive.exports import ExportHandler
from ..archive.import_handler import ImportHandler
from ..archive.packer import Packer
from ..archive.position_texts import PositionTextHandler
from ..archive.retention import Retention
from ..bots.books.book_files import BookLibrary
from ..callers.caller import FindPlayer
from ..callers.feature import Feature
from ..callers.names import skeleton_of
from ..callers.restrictions import Restrictions
from ..chat.chat_handler import ChatHandler
from ..chat.places import MatchPlaces, Places
from ..cluster.bus import Bus
from ..cluster.bus_events import BusRestored
from ..journal.rereading import Rereading
from ..learning.analysis.analysis_handler import AnalysisHandler
from ..learning.endings.ending_handler import EndingHandler
from ..learning.mistakes.mistake_handler import MistakeHandler
from ..learning.openings.opening_handler import OpeningHandler
from ..learning.puzzles.puzzle_handler import PuzzleHandler
from ..learning.races.race_handler import RaceHandler
from ..learning.storms.storm_handler import StormHandler
from ..learning.studies.study_handler import StudyHandler
from ..learning.teaching.teaching_handler import TeachingHandler
from ..lobby.lobby_handler import LobbyHandler
from ..lobby.your_matches import YourMatchesHandler
from ..moderation.enforcement import Enforcement
from ..moderation.moderation_handler import ModerationHandler
from ..moderation.reports import ReportHandler
from ..notifications.notification_handler import NotificationHandler
from ..notifications.push.push_handler import PushHandler
from ..notifications.triggers import NotificationTriggers
from ..players.accounts.account_handler import AccountHandler
from ..players.accounts.account_store import AccountStore
from ..players.accounts.email_handler import EmailHandler
from ..players.accounts.session_checks import SessionChecks
from ..players.mail.mail_queue import MailQueue
from ..players.mail.smtp_settings import SmtpSettings, parse_smtp
from ..players.profiles.block_handler import BlockHandler
from ..players.profiles.current_matches import CurrentMatches
from ..players.profiles.directory import PlayerDirectory
from ..players.profiles.last_seen import LastSeen
from ..players.profiles.player_lists import PlayerLists
from ..players.profiles.profile_handler import ProfileHandler
from ..players.profiles.ratings_handler import RatingsHandler
from ..players.vacations.vacation_handler import VacationHandler
from ..rooms.bot_availability import BotAvailabilityNews
from ..rooms.interruptions import Interruptions
from ..rooms.match_handler import MatchHandler
from ..rooms.plan_handler import PlanHandler
from ..runtime.settings import Settings
from ..spectating.exhibitions import Exhibitions
from ..spectating.live_index import LiveIndex
from ..spectating.spectating_handler import SpectatingHandler
from ..tournaments.arena_reviews import ArenaReviews
from ..tournaments.calendar import Calendar, parse_calendar
from ..tournaments.ladders.ladder_handler import LadderHandler
from ..tournaments.ladders.ladder_runner import LadderRunner
from ..tournaments.ladders.ladder_views import summary_of as summary_of_ladder
from ..tournaments.ladders.ladders import Ladders
from ..tournaments.tournament import SITE
from ..tournaments.tournament_chat import TournamentPlaces
from ..tournaments.tournament_exports import TournamentExportHandler
from ..tournaments.tournament_handler import TournamentHandler
from ..tournaments.tournament_news import TournamentNews
from ..tournaments.tournament_runner import TournamentRunner
from ..tournaments.tournament_views import summary_of
from ..tournaments.tournaments import Tournaments
from ..tournaments.trophies import Trophies
from ..web.balancing import Balancing
from ..web.previews.preview_handler import PreviewHandler
from ..web.previews.renderer import Renderer
from .account_data import AccountDataHandler
from .services import Services
from .stores import moderation_actions


class CacheReloading(Feature):
    """Reloads copies of stored data whenever the bus is restored."""

    def __init__(self, bus: Bus, loads: Iterable[Callable[[], Awaitable[None]]]) -> None:
        """Each of `loads` replaces a copy, also while the server runs, and may raise StorageError."""
        loads = tuple(loads)
        self._due: Rereading[Callable[[], Awaitable[None]]] = Rereading(lambda load: load())
        bus.subscribe(BusRestored, lambda _: self._due.ask(loads))

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Reload copies that are due."""
        return (self._due.run(),)


def build_features(services: Services) -> tuple[Feature, ...]:
    """Return every feature of the server."""
    settings, stores, rooms = services.settings, services.stores, services.rooms
    bus, now_ms = services.bus, services.now_ms
    presence, limits, ratings, membership = services.presence, services.limits, services.ratings, services.membership
    find_player = _find_player(stores.accounts)
    books = BookLibrary(settings.books_folder)
    live_index = LiveIndex(rooms, bus)
    exhibitions = Exhibitions(rooms, services.bots, bus, membership, now_ms, random.SystemRandom().randrange)
    lobby = LobbyHandler(
        rooms,
        presence,
        services.blocks,
        ratings,
        live_index,
        _find_challengeable(find_player, services.restrictions),
        services.bots,
        bus,
        now_ms,
        limits,
        stores.archive,
        stores.searches,
        membership,
    )
    puzzles = PuzzleHandler(stores.puzzles, now_ms, limits, services.answers)
    ladders = Ladders(stores.ladders, stores.journal, stores.accounts, services.notifier.prepare, bus, now_ms)
    profiles, blocks, notifications = _social(services, find_player, ladders)
    accounts = _accounts(services)
    analysis = AnalysisHandler(rooms, services.bots, stores.analyses, books, now_ms, limits, bus)
    tournaments = Tournaments(stores.tournaments, stores.accounts, services.notifier.prepare, bus, now_ms)
    places: dict[str, Places] = {"": MatchPlaces(rooms), "tournament/": TournamentPlaces(tournaments)}
    chat = ChatHandler(stores.chat, places, services.restrictions, bus, now_ms, limits)
    mails = MailQueue(stores.mails, _smtp_of(settings), now_ms)
    return (
        CacheReloading(bus, (ratings.load, profiles.load, blocks.load, notifications.load)),
        MatchHandler(rooms, limits),
        PlanHandler(rooms),
        lobby,
        YourMatchesHandler(rooms, stores.journal, bus),
        chat,
        RatingsHandler(stores.ratings, stores.profiles, ratings, stores.accounts, stores.archive, find_player),
        accounts,
        EmailHandler(
            stores.accounts, accounts.login, services.places, mails, now_ms, limits, settings.site, services.answers
        ),
        VacationHandler(stores.vacations, rooms, services.answers, limits, bus, now_ms),
        SessionChecks(stores.accounts, presence, bus, now_ms),
        analysis,
        profiles,
        blocks,
        ReportHandler(
            *(stores.reports, stores.accounts, stores.profiles, rooms, stores.journal, stores.studies),
            *(chat, bus, now_ms, limits),
        ),
        _moderation(services, lobby),
        notifications,
        *_archive(services, find_player, books),
        Interruptions(stores.journal, rooms, presence, bus, now_ms),
        BotAvailabilityNews(services.bots, presence),
        SpectatingHandler(live_index, exhibitions, bus, now_ms),
        TeachingHandler(rooms, stores.archive),
        puzzles,
        EndingHandler(stores.endings, services.bots, limits, services.answers),
        MistakeHandler(rooms, stores.mistakes, now_ms, limits, services.answers),
        StormHandler(stores.storms, puzzles.library, now_ms, limits, services.answers),
        RaceHandler(
            *(stores.races, puzzles.library, presence, bus, now_ms, limits, services.answers),
            settings.race_seconds,
        ),
        PreviewHandler(
            rooms,
            puzzles.library,
            stores.studies,
            find_player,
            _summary_of(tournaments, ladders),
            Renderer(limits, services.background),
        ),
        StudyHandler(
            *(stores.studies, rooms, now_ms, limits, services.answers, services.background, bus),
            *(find_player, stores.accounts.players_of, services.blocks.are_apart),
        ),
        _tournaments(services, tournaments, find_player),
        ArenaReviews(
            *(tournaments, rooms, analysis.reviews, stores.analyses, services.bots),
            membership.lease("reviews"),
        ),
        _ladders(services, ladders, find_player),
        TournamentExportHandler(tournaments, stores.tournaments),
        Balancing(presence, rooms, bus),
        AccountDataHandler(
            stores, services.authenticator.owner_of, services.downloads, moderation_actions(stores, now_ms)
        ),
        PushHandler(stores.push, services.push_sender, now_ms, limits, settings.contact, settings.allows_local_push),
    )


def _tournaments(services: Services, tournaments: Tournaments, find_player: FindPlayer) -> TournamentHandler:
    presence, bus, now_ms = services.presence, services.bus, services.now_ms
    runner = TournamentRunner(
        tournaments,
        services.stores.tournaments,
        services.rooms,
        presence,
        services.restrictions,
        services.ratings,
        services.bots,
        services.background,
        bus,
        services.membership,
        now_ms,
        calendar_of(services.settings),
    )
    return TournamentHandler(
        tournaments,
        runner,
        TournamentNews(tournaments, presence, bus),
        services.ratings,
        services.restrictions,
        find_player,
        services.answers,
        services.limits,
        now_ms,
        services.settings.least_arena_minutes,
    )


def _ladders(services: Services, ladders: Ladders, find_player: FindPlayer) -> LadderHandler:
    rooms, bus, tournaments = services.rooms, services.bus, services.stores.tournaments
    runner = LadderRunner(ladders, tournaments, rooms, services.restrictions, bus, services.membership)
    return LadderHandler(ladders, runner, rooms, services.ratings, find_player, bus, services.limits, services.now_ms)


def _summary_of(
    tournaments: Tournaments, ladders: Ladders
) -> Callable[[TournamentId], Awaitable[TournamentSummary | LadderSummary]]:
    """Return a function that finds a tournament for link previews, and raises Refusal if there is none."""

    async def find(tournament: TournamentId) -> TournamentSummary | LadderSummary:
        if tournament in ladders.loaded:
            return summary_of_ladder(ladders.loaded[tournament], IdentityId(""))
        return summary_of(await tournaments.find(tournament), tournaments.player)

    return find


def calendar_of(settings: Settings) -> Calendar:
    """Return the arenas that recur. Raises: CalendarError, OSError."""
    return () if settings.calendar is None else parse_calendar(settings.calendar.read_text("utf-8"))


def _accounts(services: Services) -> AccountHandler:
    stores, presence, rooms, bus = services.stores, services.presence, services.rooms, services.bus
    restrictions, now_ms, places, limits = services.restrictions, services.now_ms, services.places, services.limits
    names = _reserved_names()
    return AccountHandler(
        stores.accounts,
        stores.journal,
        presence,
        rooms,
        restrictions,
        bus,
        now_ms,
        names,
        places,
        limits,
        services.answers,
    )


def _moderation(services: Services, lobby: LobbyHandler) -> ModerationHandler:
    stores, restrictions, presence, bus = services.stores, services.restrictions, services.presence, services.bus
    enforcement = Enforcement(
        stores.moderation,
        stores.reports,
        restrictions,
        stores.restrictions,
        stores.accounts,
        stores.journal,
        presence,
        services.rooms,
        services.ratings,
        lobby.withdraw,
        bus,
        services.membership,
        services.site_rules,
    )
    return ModerationHandler(
        stores.accounts,
        stores.moderation,
        stores.reports,
        stores.chat,
        restrictions,
        moderation_actions(stores, services.now_ms),
        enforcement,
        presence,
        bus,
        _reserved_names(),
        services.site_rules,
    )


def _social(
    services: Services, find_player: FindPlayer, ladders: Ladders
) -> tuple[ProfileHandler, BlockHandler, NotificationHandler]:
    """Return the features about players, follows and blocks."""
    stores, rooms, presence = services.stores, services.rooms, services.presence
    blocks, bus, now_ms = services.blocks, services.bus, services.now_ms
    follows, visibility = services.follows, services.visibility
    last_seen = LastSeen(stores.profiles, bus, now_ms)
    current_matches = CurrentMatches(rooms, bus)
    directory = PlayerDirectory(stores.profiles, presence, visibility, current_matches, last_seen, bus)
    player_lists = PlayerLists(stores.profiles, directory, bus)
    profiles = ProfileHandler(
        stores.profiles,
        stores.accounts,
        stores.archive,
        directory,
        last_seen,
        follows,
        blocks,
        player_lists,
        find_player,
        bus,
        now_ms,
        services.limits,
        Trophies(stores.tournaments).of,
        ladders.of,
    )
    notifications = NotificationHandler(services.notification_preferences, services.inbox, bus)
    NotificationTriggers(services.inbox, presence, visibility, follows, bus, now_ms)
    return profiles, BlockHandler(blocks, follows, bus, now_ms, services.limits), notifications


def _archive(services: Services, find_player: FindPlayer, books: BookLibrary) -> Sequence[Feature]:
    stores, queries = services.stores, QueryBuilder(find_player)
    sender_of = services.authenticator.sender_of
    return (
        ArchiveHandler(stores.archive, queries),
        ImportHandler(stores.journal, services.now_ms, services.limits, services.answers, services.background),
        ExportHandler(stores.archive, queries, sender_of, services.downloads),
        PositionTextHandler(stores.archive, services.background),
        Packer(
            *(stores.packing, services.background, services.membership.lease("packing"), services.now_ms),
            services.settings.pack_after_days,
        ),
        Retention(
            *(stores.retention, services.membership.lease("retention"), services.now_ms),
            exhibition_days=services.settings.keep_exhibitions_days,
            unfinished_days=services.settings.keep_unfinished_days,
        ),
        OpeningHandler(
            stores.openings, stores.archive, services.rooms, books, sender_of, services.membership.lease("openings")
        ),
    )


def _smtp_of(settings: Settings) -> SmtpSettings | None:
    """Return the mail server. Raises: BadSmtpError."""
    if not settings.smtp:
        return None
    return parse_smtp(settings.smtp, settings.smtp_password, settings.mail_from)


def _reserved_names() -> list[str]:
    """Return the names of the site, games and bots, which players cannot take."""
    names = [text for game in GAMES.values() for text in (game.name, game.title)]
    return [*names, SITE.name, *(opponent.title for opponent in OPPONENTS.values())]


def _find_player(accounts: AccountStore) -> FindPlayer:
    """Return a function that finds the owner of an account by name."""

    async def find(name: str) -> Player | None:
        account = await accounts.find_named(skeleton_of(name))
        return None if account is None else account.player

    return find


def _find_challengeable(find_player: FindPlayer, restrictions: Restrictions) -> FindPlayer:
    """Return a function that finds a player to challenge, and refuses banned ones."""

    async def find(name: str) -> Player | None:
        player = await find_player(name)
        if player is not None and restrictions.ban_of(player.id) is not None:
            raise Refusal(Code.BANNED, "The account of {name} is banned.", name=player.name)
        return player

    return find
