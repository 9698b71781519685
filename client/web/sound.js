/**
 * Short sounds that the browser synthesizes.
 *
 * A knock is a burst of filtered noise over a short low tone: wood is dull, stone is bright. Chimes are plain tones.
 */

import { preferences } from "./preferences.js";

/** Loudness at full volume. */
const LOUDNESS = 0.35;

/** Centre of the noise and pitch of the body in Hz, and how long it rings. */
const MATERIALS = { wood: { noise: 1100, body: 190, ring_s: 0.07 }, stone: { noise: 3600, body: 760, ring_s: 0.045 } };

/** @typedef {"move" | "take" | "highlight" | "low" | "end" | "offer"} SoundKind */

/** @type {AudioContext | null} */
let context = null;

/** @param {SoundKind} kind */
export function playSound(kind) {
  const { sound, volume } = preferences();
  // Browsers refuse sound before the reader has interacted with the page.
  if (!sound || volume === 0 || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const out = new GainNode(context, { gain: (LOUDNESS * volume) / 100 });
  out.connect(context.destination);
  SOUNDS[kind](context, out);
}

/** @type {Record<SoundKind, (audio: AudioContext, out: AudioNode) => void>} */
const SOUNDS = {
  move: (audio, out) => knock(audio, out, 0, 1),
  // The man that lands, and the one that falls beside the board; above them a chime.
  take: (audio, out) => {
    knock(audio, out, 0, 1);
    knock(audio, out, 0.13, 0.75);
    chime(audio, out, 660, 0.02, 0.28);
  },
  // Something was achieved, such as a mill: a chord that rises over the knock.
  highlight: (audio, out) => {
    knock(audio, out, 0, 1);
    [523, 659, 784].forEach((pitch, index) => chime(audio, out, pitch, 0.06 + index * 0.07, 0.4));
  },
  low: (audio, out) => [0, 0.16, 0.32].forEach((at_s) => chime(audio, out, 1046, at_s, 0.07)),
  end: (audio, out) => [392, 494, 587, 784].forEach((pitch, index) => chime(audio, out, pitch, index * 0.13, 0.5)),
  offer: (audio, out) => [587, 784].forEach((pitch, index) => chime(audio, out, pitch, index * 0.12, 0.22)),
};

/**
 * The sound of a man placed on the board.
 * @param {AudioContext} audio
 * @param {AudioNode} out
 * @param {number} delay_s
 * @param {number} force From 0 to 1.
 */
function knock(audio, out, delay_s, force) {
  const { noise, body, ring_s } = preferences().board === "marble" ? MATERIALS.stone : MATERIALS.wood;
  const start_s = audio.currentTime + delay_s;
  const source = new AudioBufferSourceNode(audio, { buffer: noiseOf(audio) });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: noise, Q: 0.9 });
  source.connect(filter).connect(fading(audio, out, start_s, 0.9 * force, ring_s * 0.5));
  source.start(start_s);
  source.stop(start_s + ring_s);
  const tone = new OscillatorNode(audio, { type: "sine", frequency: body });
  tone.frequency.exponentialRampToValueAtTime(body * 0.7, start_s + ring_s);
  tone.connect(fading(audio, out, start_s, 0.8 * force, ring_s));
  tone.start(start_s);
  tone.stop(start_s + ring_s);
}

/**
 * @param {AudioContext} audio
 * @param {AudioNode} out
 * @param {number} pitch In Hz.
 * @param {number} delay_s
 * @param {number} ring_s
 */
function chime(audio, out, pitch, delay_s, ring_s) {
  const start_s = audio.currentTime + delay_s;
  for (const [partial, loudness] of [[1, 0.3], [2.76, 0.08]]) {
    const tone = new OscillatorNode(audio, { type: "sine", frequency: pitch * partial });
    tone.connect(fading(audio, out, start_s, loudness, ring_s / partial));
    tone.start(start_s);
    tone.stop(start_s + ring_s);
  }
}

/**
 * A gain that falls from a loudness to silence.
 * @param {AudioContext} audio
 * @param {AudioNode} out
 * @param {number} start_s
 * @param {number} loudness
 * @param {number} ring_s
 */
function fading(audio, out, start_s, loudness, ring_s) {
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(loudness, start_s);
  gain.gain.exponentialRampToValueAtTime(0.001, start_s + ring_s);
  gain.connect(out);
  return gain;
}

/** @type {AudioBuffer | null} */
let noiseBuffer = null;

/** @param {AudioContext} audio */
function noiseOf(audio) {
  if (noiseBuffer === null) {
    noiseBuffer = new AudioBuffer({ length: audio.sampleRate * 0.1, sampleRate: audio.sampleRate });
    const samples = noiseBuffer.getChannelData(0);
    for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  }
  return noiseBuffer;
}
