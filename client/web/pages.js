/**
 * The pages of the site by address.
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

/** The pattern's group goes to the page: the id of a match, player or game. */
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
 * @returns The class of the page at an address, and the id in it.
 */
export function pageAt(path) {
  for (const [pattern, Page] of PAGES) {
    const found = pattern.exec(path);
    if (found !== null) return { Page, id: found[1] ?? "" };
  }
  return { Page: StartPage, id: "" };
}
