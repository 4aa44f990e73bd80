/** Many XMPP clients in one room, each on its own connection; some of them send messages to all. */
import type { Measurement } from '../harness/benchmark';
import { program, type Shape } from '../harness/program';
import { openOccupant, type Occupant } from './occupant';
import { keepOutstanding, openRounds } from './rounds';

export interface OccupantsLoad extends Shape {
  readonly options: {
    readonly port: number;
    readonly occupants: number;
    /** How many of them speak, in turn. */
    readonly speakers: number;
    readonly body: string;
  };
  readonly ready: null;
  readonly order: { readonly milliseconds: number; readonly outstanding: number };
  /** A unit is one delivery; `last` is from sending to the last occupant's receipt. */
  readonly report: Measurement;
}

/** How many enter at once. */
const RAMP = 10;

program<OccupantsLoad>(async ({ port, occupants, speakers, body }) => {
  const rounds = openRounds(occupants);
  const all: Occupant[] = [];
  while (all.length < occupants) {
    const some = Array.from({ length: Math.min(RAMP, occupants - all.length) }, (_, at) =>
      openOccupant({ port, room: 'bench', nick: `person${all.length + at}` }, (round) => rounds.hear(round)),
    );
    await Promise.all(some.map(({ entered }) => entered));
    all.push(...some);
  }
  let turn = 0;
  const send = () => {
    rounds.begin();
    all[turn++ % speakers]!.say(body);
  };
  return {
    ready: null,
    run: (order) => rounds.measure(all, () => keepOutstanding(rounds, send, order)),
  };
});
