// Sounds, for those who switch them on: made here, so that nothing has to be loaded. Felt on wood for a step, a crate on
// stone for a push, wooden knocks for the rest.

const LOUDNESS = 0.12; // about -18 dB
const SOUNDS = {
  step: (maker) => maker.rustle({ from: 500, to: 400, seconds: 0.025 }),
  push: (maker) => maker.rustle({ from: 900, to: 300, seconds: 0.06 }),
  home: (maker) => maker.knock({ pitch: 520, seconds: 0.09 }),
  blocked: (maker) => maker.knock({ pitch: 260, seconds: 0.04 }),
  solved: (maker) => [523, 587, 784].forEach((pitch, place) => maker.knock({ pitch, seconds: 0.14, after: 0.13 * place })),
};

export class Sound {
  #context = null;

  /** Play one of the sounds above by its name. A browser that has no sound, or forbids it, stays silent. */
  play(name) {
    try {
      this.#context ??= new AudioContext();
      SOUNDS[name](this);
    } catch {
      // Silence does no harm.
    }
  }

  /** Noise through a filter that moves from one pitch to another. */
  rustle({ from, to, seconds }) {
    const { sampleRate, currentTime } = this.#context;
    const samples = this.#context.createBuffer(1, Math.ceil(sampleRate * seconds), sampleRate);
    const noise = samples.getChannelData(0);
    for (let at = 0; at < noise.length; at++) noise[at] = 2 * Math.random() - 1;
    const source = this.#context.createBufferSource();
    source.buffer = samples;
    const filter = this.#context.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.setValueAtTime(from, currentTime);
    filter.frequency.exponentialRampToValueAtTime(to, currentTime + seconds);
    source.connect(filter);
    this.#fade(filter, currentTime, seconds);
    source.start(currentTime);
  }

  /** A tone that dies away at once. */
  knock({ pitch, seconds, after = 0 }) {
    const at = this.#context.currentTime + after;
    const tone = this.#context.createOscillator();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    this.#fade(tone, at, seconds);
    tone.start(at);
    tone.stop(at + seconds);
  }

  #fade(source, at, seconds) {
    const loudness = this.#context.createGain();
    loudness.gain.setValueAtTime(LOUDNESS, at);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    source.connect(loudness).connect(this.#context.destination);
  }
}
