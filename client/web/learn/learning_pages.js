/** The pages about learning, which are loaded together: they share the board of a line. */

import { EndingsPage } from "../puzzles/endings_page.js";
import { PuzzlesPage } from "../puzzles/puzzles_page.js";
import { StormPage } from "../puzzles/storm_page.js";
import { LearnPage } from "./learn_page.js";
import { LessonPage } from "./lesson_page.js";

export const learningPages = { LearnPage, LessonPage, PuzzlesPage, EndingsPage, StormPage };
