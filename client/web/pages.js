/**
 * The pages of the site by their addresses.
 */

import { AccountPage } from "./account/account_page.js";
import { AnalysisPage } from "./analysis/analysis_page.js";
import { ArchivePage } from "./archive/archive_page.js";
import { MatchPage } from "./match/match_page.js";
import { ModerationPage } from "./moderation/moderation_page.js";
import { PlayersPage } from "./profiles/players_page.js";
import { LeadersPage } from "./ratings/leaders_page.js";
import { ProfilePage } from "./profiles/profile_page.js";
import { StartPage } from "./start/start_page.js";
import { FeaturedPage } from "./spectating/featured_page.js";
import { WatchPage } from "./spectating/watch_page.js";

/** @typedef {StartPage | MatchPage | AccountPage | ArchivePage | LeadersPage | ProfilePage | WatchPage | FeaturedPage | AnalysisPage | ModerationPage | PlayersPage} Page */

/** What the pattern's group finds is handed to the page: which match, player or game it is about. */
const PAGES = /** @type {const} */ ([
  [/^\/match\/([^/]+)\/?$/, MatchPage],
  [/^\/player\/([^/]+)\/?$/, ProfilePage],
  [/^\/watch\/([^/]+)\/?$/, FeaturedPage],
  [/^\/watch$/, WatchPage],
  [/^\/analysis(?:\/|$)/, AnalysisPage],
  [/^\/archive$/, ArchivePage],
  [/^\/players$/, PlayersPage],
  [/^\/leaders$/, LeadersPage],
  [/^\/account$/, AccountPage],
  [/^\/moderation$/, ModerationPage],
  [/^\/challenge\/([^/]+)\/?$/, StartPage],
]);

/**
 * @param {string} path
 * @returns What an address names: the class of its page, and what that is about.
 */
export function pageAt(path) {
  for (const [pattern, Page] of PAGES) {
    const found = pattern.exec(path);
    if (found !== null) return { Page, id: found[1] ?? "" };
  }
  return { Page: StartPage, id: "" };
}
