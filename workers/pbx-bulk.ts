/** Carries out orders of many extensions; a few at a time, so that single ones still find room. */
import type { Config } from '../config';
import { Busy } from '../src/kernel/actor/lease';
import { consume, type Consumer } from '../src/kernel/jobs/consume';
import type { Kernel } from '../src/kernel/kernel';
import { openAnswers, type Answers } from '../src/telephony/actors/pbx-instance/answers';
import { carryOutBulk } from '../src/telephony/commands/order-many';
import { carryOutMany } from '../src/telephony/jobs';

const CONCURRENCY = 4;

export function pbxBulk(config: Config): Consumer<{ readonly id: string }, void> {
  const opened = new WeakMap<Kernel, Answers>();
  return consume(carryOutMany, {
    concurrency: CONCURRENCY,
    async run(kernel, { id }, { signal }) {
      const answers = opened.get(kernel) ?? openAnswers(kernel);
      opened.set(kernel, answers);
      const end = await carryOutBulk({ kernel, answers, settings: config }, id, signal);
      if (end === 'interrupted') throw new Busy('the process ends; another goes on');
    },
  });
}
