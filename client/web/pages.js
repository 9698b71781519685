/** The pages of the site by address. Each is loaded when it is first shown, except the start page. */

import { NotFoundPage } from "./not_found_page.js";
import { StartPage } from "./start/start_page.js";

/** @import { AccountPage } from "./account/account_page.js" */
/** @import { AnalysisPage } from "./analysis/analysis_page.js" */
/** @import { ArchivePage } from "./archive/archive_page.js" */
/** @import { StudiesPage } from "./analysis/studies_page.js" */
/** @import { EditorPage } from "./analysis/editor_page.js" */
/** @import { LearnPage } from "./learn/learn_page.js" */
/** @import { LessonPage } from "./learn/lesson_page.js" */
/** @import { MatchPage } from "./match/match_page.js" */
/** @import { ModerationPage } from "./moderation/moderation_page.js" */
/** @import { OfflinePage } from "./offline/offline_page.js" */
/** @import { CoordinatesPage } from "./puzzles/coordinates_page.js" */
/** @import { EndingsPage } from "./puzzles/endings_page.js" */
/** @import { MistakesPage } from "./puzzles/mistakes_page.js" */
/** @import { OpenRacePage } from "./puzzles/open_race_page.js" */
/** @import { PuzzlesPage } from "./puzzles/puzzles_page.js" */
/** @import { RacePage } from "./puzzles/race_page.js" */
/** @import { StormPage } from "./puzzles/storm_page.js" */
/** @import { PlayersPage } from "./profiles/players_page.js" */
/** @import { ProfilePage } from "./profiles/profile_page.js" */
/** @import { LeadersPage } from "./ratings/leaders_page.js" */
/** @import { SettingsPage } from "./settings/settings_page.js" */
/** @import { FeaturedPage } from "./spectating/featured_page.js" */
/** @import { WatchPage } from "./spectating/watch_page.js" */
/** @import { LadderPage } from "./tournaments/ladder_page.js" */
/** @import { TournamentPage } from "./tournaments/tournament_page.js" */
/** @import { TournamentsPage } from "./tournaments/tournaments_page.js" */
/** @import { Connection } from "./connection/connection.js" */
/** @import { PairingSearch } from "./lobby/pairing_search.js" */

/** @typedef {StartPage | NotFoundPage | MatchPage | AccountPage | ArchivePage | LeadersPage | ProfilePage | WatchPage | FeaturedPage | AnalysisPage | StudiesPage | EditorPage | ModerationPage | PlayersPage | SettingsPage | LearnPage | LessonPage | PuzzlesPage | EndingsPage | StormPage | OpenRacePage | RacePage | CoordinatesPage | MistakesPage | OfflinePage | TournamentPage | TournamentsPage | LadderPage} Page */
/** @typedef {new (connection: Connection, id: string, navigate: (path: string) => void, search: PairingSearch) => Page} PageClass */

/** The pattern's group goes to the page: the id of a match, player or game. @type {[RegExp, () => Promise<PageClass>][]} */
const PAGES = [
  [/^\/match\/([^/]+)\/?$/, async () => (await import("./match/match_page.js")).MatchPage],
  [/^\/player\/([^/]+)\/?$/, async () => (await import("./profiles/profile_page.js")).ProfilePage],
  [/^\/watch\/([^/]+)\/?$/, async () => (await import("./spectating/featured_page.js")).FeaturedPage],
  [/^\/watch$/, async () => (await import("./spectating/watch_page.js")).WatchPage],
  [/^\/(?:analysis|study)(?:\/|$)/, async () => (await import("./analysis/analysis_page.js")).AnalysisPage],
  [/^\/studies$/, async () => (await import("./analysis/studies_page.js")).StudiesPage],
  [/^\/editor\/([^/]+)\/?$/, async () => (await import("./analysis/editor_page.js")).EditorPage],
  [/^\/archive$/, async () => (await import("./archive/archive_page.js")).ArchivePage],
  [/^\/learn$/, async () => (await import("./learn/learning_pages.js")).learningPages.LearnPage],
  [/^\/learn\/([^/]+)\/?$/, async () => (await import("./learn/learning_pages.js")).learningPages.LessonPage],
  [/^\/puzzles(?:\/(.+?))?\/?$/, async () => (await import("./learn/learning_pages.js")).learningPages.PuzzlesPage],
  [/^\/endings\/([^/]+)\/?$/, async () => (await import("./learn/learning_pages.js")).learningPages.EndingsPage],
  [/^\/storm\/([^/]+)\/?$/, async () => (await import("./learn/learning_pages.js")).learningPages.StormPage],
  [/^\/race$/, async () => (await import("./learn/learning_pages.js")).learningPages.OpenRacePage],
  [/^\/race\/([^/]+)\/?$/, async () => (await import("./learn/learning_pages.js")).learningPages.RacePage],
  [/^\/mistakes\/([^/]+)\/?$/, async () => (await import("./learn/learning_pages.js")).learningPages.MistakesPage],
  [/^\/coordinates\/([^/]+)\/?$/, async () => (await import("./learn/learning_pages.js")).learningPages.CoordinatesPage],
  [/^\/offline$/, async () => (await import("./offline/offline_page.js")).OfflinePage],
  [/^\/players$/, async () => (await import("./profiles/players_page.js")).PlayersPage],
  [/^\/tournaments$/, async () => (await import("./tournaments/tournaments_page.js")).TournamentsPage],
  [/^\/tournament\/(ladder-[^/]+)\/?$/, async () => (await import("./tournaments/ladder_page.js")).LadderPage],
  [/^\/tournament\/([^/]+)\/?$/, async () => (await import("./tournaments/tournament_page.js")).TournamentPage],
  [/^\/leaders$/, async () => (await import("./ratings/leaders_page.js")).LeadersPage],
  [/^\/account$/, async () => (await import("./account/account_page.js")).AccountPage],
  [/^\/settings$/, async () => (await import("./settings/settings_page.js")).SettingsPage],
  [/^\/moderation$/, async () => (await import("./moderation/moderation_page.js")).ModerationPage],
  [/^\/challenge\/([^/]+)\/?$/, loadStartPage],
  [/^\/$/, loadStartPage],
];

/** @returns {Promise<PageClass>} */
async function loadStartPage() {
  return StartPage;
}

/**
 * @param {string} path
 * @returns {{ load: () => Promise<PageClass>, id: string, isFirst: boolean }} What loads the class of the page at an
 *   address, the id in it, and whether the page is there from the start, with its texts.
 */
export function pageAt(path) {
  for (const [pattern, load] of PAGES) {
    const found = pattern.exec(path);
    if (found !== null) return { load, id: found[1] ?? "", isFirst: load === loadStartPage };
  }
  return { load: async () => NotFoundPage, id: "", isFirst: true };
}
