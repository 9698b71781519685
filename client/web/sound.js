/**
 * Short wooden clicks, made by the browser itself; off by one button.
 */

import { button } from "./element.js";
import { icon } from "./icons.js";
import { recall, remember } from "./storage.js";

const KEY = "millrace.sound";

/** Frequencies in Hz, one after another. */
const TONES = { move: [520], take: [520, 330], end: [392, 494, 587], offer: [660, 660] };
const TONE_S = 0.09;
const LOUDNESS = 0.12;

/** @type {AudioContext | null} */
let context = null;

/** @param {keyof typeof TONES} kind */
export function playSound(kind) {
  // Browsers refuse sound before the reader has touched the page.
  if (recall(KEY) === "off" || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  TONES[kind].forEach((frequency, index) => tone(/** @type {AudioContext} */ (context), frequency, index * TONE_S));
}

/** @returns {HTMLButtonElement} */
export function soundButton() {
  const toggle = button(null, () => {
    remember(KEY, recall(KEY) === "off" ? "on" : "off");
    mirror();
  });
  toggle.classList.add("icon-button");
  const mirror = () => {
    const isOn = recall(KEY) !== "off";
    toggle.replaceChildren(icon(isOn ? "sound" : "mute"));
    toggle.setAttribute("aria-pressed", String(isOn));
    toggle.setAttribute("aria-label", "Sound");
    toggle.title = isOn ? "Sound is on" : "Sound is off";
  };
  mirror();
  return toggle;
}

/**
 * @param {AudioContext} audio
 * @param {number} frequency
 * @param {number} delay_s
 */
function tone(audio, frequency, delay_s) {
  const start_s = audio.currentTime + delay_s;
  const oscillator = new OscillatorNode(audio, { type: "triangle", frequency });
  const gain = new GainNode(audio, { gain: LOUDNESS });
  gain.gain.setValueAtTime(LOUDNESS, start_s);
  gain.gain.exponentialRampToValueAtTime(0.001, start_s + TONE_S);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(start_s);
  oscillator.stop(start_s + TONE_S);
}
