/** The pages about learning, which are loaded together: they share the board of a line. */

import { CoordinatesPage } from "../puzzles/coordinates_page.js";
import { EndingsPage } from "../puzzles/endings_page.js";
import { MistakesPage } from "../puzzles/mistakes_page.js";
import { OpenRacePage } from "../puzzles/open_race_page.js";
import { PuzzlesPage } from "../puzzles/puzzles_page.js";
import { RacePage } from "../puzzles/race_page.js";
import { StormPage } from "../puzzles/storm_page.js";
import { LearnPage } from "./learn_page.js";
import { LessonPage } from "./lesson_page.js";

export const learningPages = { LearnPage, LessonPage, PuzzlesPage, EndingsPage, StormPage, OpenRacePage, RacePage, CoordinatesPage, MistakesPage };
