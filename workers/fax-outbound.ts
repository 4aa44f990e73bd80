/** Hands faxes to carriers. Any number of workers may run it. */
import type { Config } from '../config';
import { consume, type Consumer } from '../src/kernel/jobs/consume';
import { publicUrlOf } from '../src/products';
import { handOverFax } from '../src/telephony/commands/send-fax';
import { sendFax } from '../src/telephony/jobs';

const CONCURRENCY = 8;

export function faxOutbound(config: Config): Consumer<{ readonly faxId: string }, void> {
  const settings = { ...config, publicUrl: publicUrlOf(config) };
  return consume(sendFax, {
    concurrency: CONCURRENCY,
    run: (kernel, { faxId }) => handOverFax(kernel, settings, faxId),
  });
}
