// Sounds, for those who switch them on: made here, so that nothing has to be loaded.

const TONES = {
  push: [[110, 0, 0.07]],
  home: [[440, 0, 0.12]],
  solved: [
    [523, 0, 0.14],
    [659, 0.13, 0.14],
    [784, 0.26, 0.3],
  ],
};
const LOUDNESS = 0.12;

export class Sound {
  #context = null;

  /** Play the tones of "push", "home" or "solved". A browser that has no sound, or forbids it, stays silent. */
  play(name) {
    try {
      this.#context ??= new AudioContext();
      for (const [pitch, after, seconds] of TONES[name]) this.#tone(pitch, this.#context.currentTime + after, seconds);
    } catch {
      // Silence does no harm.
    }
  }

  #tone(pitch, at, seconds) {
    const tone = this.#context.createOscillator();
    const loudness = this.#context.createGain();
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(LOUDNESS, at);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(loudness).connect(this.#context.destination);
    tone.start(at);
    tone.stop(at + seconds);
  }
}
