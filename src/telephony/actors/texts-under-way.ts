/** Limits how many texts of one carrier account are in flight, so that a hanging carrier leaves slots for others. */
import { Busy } from '../../kernel/jobs/busy';
import { Gate } from '../../kernel/admission/gate';

const MAX_CALLS = 20;
const CROWDED_MS = 200;

export class Crowded extends Busy {
  constructor() {
    super('many texts are on their way to this carrier', CROWDED_MS);
  }
}

export const openTextsUnderWay = (): Gate =>
  new Gate({
    atOnce: Infinity,
    callerAtOnce: MAX_CALLS,
    waiting: 0,
    refusal: () => new Crowded(),
    refusedAtOnce: Infinity,
  });
