/** The sounds that tell of messages, synthesised so that no file is loaded. The server lists their names. */

interface Tone {
  /** In seconds from the beginning. */
  readonly at: number;
  readonly hertz: number;
  /** What it glides to. */
  readonly to?: number;
  readonly seconds: number;
  readonly shape: OscillatorType;
}

const tone = (at: number, hertz: number, seconds: number, more: Partial<Tone> = {}): Tone => ({
  at,
  hertz,
  seconds,
  shape: 'sine',
  ...more,
});

const SOUNDS: Readonly<Record<string, readonly Tone[]>> = {
  bell: [tone(0, 880, 1), tone(0, 1760, 0.6), tone(0, 2637, 0.3)],
  chime: [tone(0, 523, 0.5), tone(0.12, 659, 0.5), tone(0.24, 784, 0.7)],
  ding: [tone(0, 1319, 0.6)],
  knock: [tone(0, 190, 0.09, { to: 90, shape: 'triangle' }), tone(0.16, 190, 0.09, { to: 90, shape: 'triangle' })],
  ripple: [tone(0, 420, 0.16, { to: 820 }), tone(0.14, 560, 0.22, { to: 1100 })],
  zulip: [tone(0, 660, 0.14), tone(0.12, 880, 0.4)],
};

const VOLUME = 0.08;
const SILENT = 0.0001;

export function playSound(name: string): void {
  try {
    const context = new AudioContext();
    const tones = SOUNDS[name] ?? SOUNDS['zulip']!;
    const players = tones.map((each) => play(context, each, VOLUME / Math.sqrt(tones.length)));
    const last = tones.reduce((latest, each, index) => {
      return endOf(each) > endOf(tones[latest]!) ? index : latest;
    }, 0);
    players[last]!.addEventListener('ended', () => void context.close());
  } catch {
    // Browsers play no sound before the first click.
  }
}

const endOf = ({ at, seconds }: Tone): number => at + seconds;

function play(context: AudioContext, { at, hertz, to, seconds, shape }: Tone, volume: number): OscillatorNode {
  const begin = context.currentTime + at;
  const gain = context.createGain();
  gain.connect(context.destination);
  gain.gain.setValueAtTime(volume, begin);
  gain.gain.exponentialRampToValueAtTime(SILENT, begin + seconds);
  const oscillator = context.createOscillator();
  oscillator.type = shape;
  oscillator.frequency.setValueAtTime(hertz, begin);
  if (to !== undefined) oscillator.frequency.exponentialRampToValueAtTime(to, begin + seconds);
  oscillator.connect(gain);
  oscillator.start(begin);
  oscillator.stop(begin + seconds);
  return oscillator;
}
