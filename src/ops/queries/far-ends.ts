/** The far ends of all products with how their last calls went, those that fail first. */
import type { FarEnd, ListFarEnds } from '../../kernel/far-ends/far-end';
import { readFarEndNotes } from '../../kernel/far-ends/far-end-notes';
import type { Storage } from '../../kernel/kernel';
import { MAIL_SERVER } from '../../kernel/mail/noted-mailer';
import type { Keyspace } from '../../kernel/redis/connections';
import { stateOf, type FarEndReport } from '../model/far-end';

export async function reportFarEnds(
  kernel: Pick<Storage, 'mysql'> & Keyspace,
  lists: readonly ListFarEnds[],
  smtpUrl: string,
): Promise<FarEndReport[]> {
  const listed = await Promise.all(lists.map((list) => list(kernel.mysql)));
  const all = [...listed.flat(), ...(smtpUrl === '' ? [] : [mailServerAt(smtpUrl)])];
  const notes = await readFarEndNotes(kernel, all);
  const reports = all.map((end, index) => ({ ...end, ...notes[index]! }));
  return reports.sort((a, b) => Number(stateOf(b) === 'failing') - Number(stateOf(a) === 'failing'));
}

const mailServerAt = (smtpUrl: string): FarEnd => ({
  ...MAIL_SERVER,
  tenant: null,
  tenantName: null,
  // Without the password that may be in the address.
  name: URL.canParse(smtpUrl) ? new URL(smtpUrl).host : MAIL_SERVER.id,
  work: { workQueue: '', subject: '' },
});

export interface WantedFarEnds {
  readonly kind?: string | undefined;
  readonly state?: string | undefined;
  readonly tenant?: string | undefined;
  /** Part of a name. */
  readonly search?: string | undefined;
}

export function chosenFarEnds(all: readonly FarEndReport[], wanted: WantedFarEnds): FarEndReport[] {
  const part = wanted.search?.toLowerCase() ?? '';
  return all.filter(
    (report) =>
      (wanted.kind === undefined || report.kind === wanted.kind) &&
      (wanted.state === undefined || stateOf(report) === wanted.state) &&
      (wanted.tenant === undefined || report.tenant === wanted.tenant) &&
      `${report.tenantName ?? ''} ${report.name} ${report.id}`.toLowerCase().includes(part),
  );
}
