/**
 * Short sounds that the browser synthesizes, of what the board and the men are made of, and a phone's vibration.
 *
 * A knock is a burst of filtered noise over a short low tone. Notes are struck on bars of the same material: wood is
 * warm, felt is muffled, stone rings, and pixel art beeps.
 */

import { preferences } from "./preferences.js";

/** @import { Board as Geometry } from "./protocol.js" */

/** Loudness at full volume. */
const LOUDNESS = 0.35;

/**
 * @typedef {object} Material
 * @property {number} noise Centre of a knock's noise, in Hz.
 * @property {number} body Pitch of a knock's body, in Hz.
 * @property {number} ring_s How long a knock rings.
 * @property {number} attack_s How long a note swells.
 * @property {number} sustain How long a note rings, as a multiple.
 * @property {[number, number][]} partials Of a note: multiple of its pitch, and loudness.
 * @property {OscillatorType} wave
 */

/** @type {Record<"wood" | "felt" | "stone" | "pixel", Material>} */
const MATERIALS = {
  wood: { noise: 1100, body: 190, ring_s: 0.07, attack_s: 0.002, sustain: 1, partials: [[1, 0.34], [3.93, 0.09]], wave: "sine" },
  felt: { noise: 380, body: 95, ring_s: 0.1, attack_s: 0.025, sustain: 1.1, partials: [[1, 0.36], [2, 0.05]], wave: "sine" },
  stone: { noise: 3600, body: 760, ring_s: 0.045, attack_s: 0.001, sustain: 1.6, partials: [[1, 0.26], [2.76, 0.1], [5.4, 0.04]], wave: "sine" },
  pixel: { noise: 2400, body: 320, ring_s: 0.04, attack_s: 0.001, sustain: 0.6, partials: [[1, 0.14]], wave: "square" },
};

/**
 * Of a match: its `start`, moves (`move`, `take`, and `highlight` for an achievement such as a mill), `low` time, an
 * `offer`, a chat `line`, and the end: `won`, `lost`, `draw`, or `end` for spectators. `barred`: a click that is no move.
 * Of lessons and puzzles: `right`, `wrong`, `solved`; `end` when time is up.
 * @typedef {"start" | "move" | "take" | "highlight" | "barred" | "low" | "offer" | "line" | "won" | "lost" | "draw" | "end" | "right" | "wrong" | "solved"} SoundKind
 */

/** @typedef {{ audio: AudioContext, out: AudioNode, material: Material }} Player */

/** @type {AudioContext | null} */
let context = null;

/**
 * @param {SoundKind} kind
 * @param {Geometry["shape"]} [shape] Of the board: pastures are of felt.
 */
export function playSound(kind, shape) {
  const { sound, volume } = preferences();
  // Browsers refuse sound before the reader has interacted with the page.
  if (!sound || volume === 0 || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const out = new GainNode(context, { gain: (LOUDNESS * volume) / 100 });
  out.connect(context.destination);
  SOUNDS[kind]({ audio: context, out, material: materialOf(shape) });
}

/** Let a phone vibrate. @param {number[]} pattern_ms Of vibrations and pauses. */
export function vibrate(pattern_ms) {
  if (preferences().vibration && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern_ms);
}

/** @param {Geometry["shape"] | undefined} shape */
function materialOf(shape) {
  const { board } = preferences();
  if (board === "pixel") return MATERIALS.pixel;
  if (shape === "hexes") return MATERIALS.felt;
  return board === "wood" ? MATERIALS.wood : MATERIALS.stone;
}

/** Pitches in Hz. */
const [G3, A3, C4, E4, G4, C5, E5, G5, C6] = [196, 220, 262, 330, 392, 523, 659, 784, 1047];

/** @type {Record<SoundKind, (player: Player) => void>} */
const SOUNDS = {
  start: (player) => {
    knock(player, 0, 0.8);
    notes(player, [C5], 0.12, 0, 0.3);
  },
  move: (player) => knock(player, 0, 1),
  // The man that lands, and the one that falls beside the board.
  take: (player) => {
    knock(player, 0, 1);
    knock(player, 0.13, 0.7);
    notes(player, [E4], 0.02, 0, 0.2);
  },
  // The mill wheel turns a notch: its ratchet clicks under a chord that rises.
  highlight: (player) => {
    for (const [index, force] of [1, 0.3, 0.35, 0.4].entries()) knock(player, index * 0.09, force);
    notes(player, [C5, E5, G5], 0.08, 0.08, 0.4);
  },
  barred: (player) => knock(player, 0, 0.3),
  low: (player) => notes(player, [C6, C6, C6], 0, 0.16, 0.08),
  offer: (player) => notes(player, [E5, G5], 0, 0.12, 0.22),
  line: (player) => notes(player, [G5], 0, 0, 0.1),
  // The stream comes, and the wheel spins.
  won: (player) => {
    water(player, 2.4);
    notes(player, [C4, E4, G4, C5, E5, G5, C6], 0, 0.11, 0.6);
    notes(player, [C5, E5, G5], 0.95, 0, 1.2);
  },
  lost: (player) => notes(player, [E4, C4, A3], 0, 0.28, 0.7),
  // Two sides in balance.
  draw: (player) => notes(player, [G4, C4, G4, C4], 0, 0.22, 0.5),
  end: (player) => notes(player, [C4, G4], 0, 0.16, 0.6),
  right: (player) => notes(player, [G4, C5], 0, 0.1, 0.25),
  wrong: (player) => notes(player, [A3, G3], 0, 0.14, 0.25),
  solved: (player) => notes(player, [C5, E5, G5, C6], 0, 0.09, 0.5),
};

/**
 * The sound of a man placed on the board.
 * @param {Player} player
 * @param {number} delay_s
 * @param {number} force From 0 to 1.
 */
function knock({ audio, out, material }, delay_s, force) {
  const { noise, body, ring_s, attack_s, wave } = material;
  const start_s = audio.currentTime + delay_s;
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: noise, Q: 0.9 });
  hiss(audio, start_s, ring_s).connect(filter).connect(fading(audio, out, start_s, 0.9 * force, ring_s * 0.5));
  const tone = new OscillatorNode(audio, { type: wave, frequency: body });
  tone.frequency.exponentialRampToValueAtTime(body * 0.7, start_s + ring_s);
  tone.connect(fading(audio, out, start_s, 0.8 * force, ring_s, attack_s / 4));
  tone.start(start_s);
  tone.stop(start_s + ring_s);
}

/**
 * Notes, one after the other.
 * @param {Player} player
 * @param {number[]} pitches In Hz.
 * @param {number} delay_s
 * @param {number} step_s From one to the next; 0 for a chord.
 * @param {number} ring_s
 */
function notes({ audio, out, material }, pitches, delay_s, step_s, ring_s) {
  const { attack_s, sustain, partials, wave } = material;
  for (const [index, pitch] of pitches.entries()) {
    const start_s = audio.currentTime + delay_s + index * step_s;
    for (const [multiple, loudness] of partials) {
      const tone = new OscillatorNode(audio, { type: wave, frequency: pitch * multiple });
      const end_s = attack_s + (ring_s * sustain) / multiple;
      tone.connect(fading(audio, out, start_s, loudness, end_s, attack_s));
      tone.start(start_s);
      tone.stop(start_s + end_s);
    }
  }
}

/** A stream that swells and ebbs. @param {Player} player @param {number} length_s */
function water({ audio, out }, length_s) {
  const start_s = audio.currentTime;
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: 500, Q: 0.6 });
  filter.frequency.linearRampToValueAtTime(1500, start_s + length_s / 2);
  filter.frequency.linearRampToValueAtTime(400, start_s + length_s);
  hiss(audio, start_s, length_s).connect(filter).connect(fading(audio, out, start_s, 0.16, length_s, length_s / 3));
}

/** Noise. @param {AudioContext} audio @param {number} start_s @param {number} length_s */
function hiss(audio, start_s, length_s) {
  const source = new AudioBufferSourceNode(audio, { buffer: noiseOf(audio), loop: true });
  source.start(start_s);
  source.stop(start_s + length_s);
  return source;
}

/**
 * A gain that rises to a loudness and falls to silence.
 * @param {AudioContext} audio
 * @param {AudioNode} out
 * @param {number} start_s
 * @param {number} loudness
 * @param {number} ring_s
 * @param {number} [attack_s]
 */
function fading(audio, out, start_s, loudness, ring_s, attack_s = 0) {
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, start_s);
  gain.gain.linearRampToValueAtTime(loudness, start_s + attack_s);
  gain.gain.exponentialRampToValueAtTime(0.001, start_s + ring_s);
  gain.connect(out);
  return gain;
}

/** @type {AudioBuffer | null} */
let noiseBuffer = null;

/** @param {AudioContext} audio */
function noiseOf(audio) {
  if (noiseBuffer === null) {
    noiseBuffer = new AudioBuffer({ length: audio.sampleRate, sampleRate: audio.sampleRate });
    const samples = noiseBuffer.getChannelData(0);
    for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  }
  return noiseBuffer;
}
