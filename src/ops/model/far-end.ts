/** Servers of others as operators see them, and the findings about those that cannot be used. */
import { FAR_END_KINDS, type FarEnd, type FarEndKind } from '../../kernel/far-ends/far-end';
import type { FarEndNote } from '../../kernel/far-ends/far-end-notes';
import { fail, ok, warn, type Finding } from './finding';

export type FarEndReport = FarEnd & FarEndNote;

/** `unknown`: it was not called yet, or Redis has lost what was known. */
export type FarEndState = 'failing' | 'ok' | 'unknown';

export function stateOf({ failingSince, succeededAt }: FarEndNote): FarEndState {
  if (failingSince !== null) return 'failing';
  return succeededAt === null ? 'unknown' : 'ok';
}

/** A single failed call may be chance. */
const FOR_SURE = 3;
/** More would hide the other findings. */
const MAX_FOUND = 10;

/** One finding for each that fails, those of operators' concern first. */
export function findFailing(reports: readonly FarEndReport[]): Finding[] {
  const failing = reports.filter((report) => stateOf(report) === 'failing');
  if (failing.length === 0)
    return [ok('far-ends', 'every PBX, carrier, webhook and mail server that was called works')];
  const sorted = failing.toSorted((a, b) => FAR_END_KINDS.indexOf(a.kind) - FAR_END_KINDS.indexOf(b.kind));
  const others = failing.length - MAX_FOUND;
  return [
    ...sorted.slice(0, MAX_FOUND).map(findingOf),
    ...(others > 0 ? [warn('far-ends', `${others} more fail`, 'See all of them under Connections.')] : []),
  ];
}

const FINDERS: Readonly<Record<FarEndKind, (report: FarEndReport) => Finding>> = {
  pbx: ({ error, failures }) =>
    failures < FOR_SURE
      ? warn('pbx', error, 'If it goes on, look whether this PBX runs, and whether address and credentials are right.')
      : fail('pbx', error, 'Look whether this PBX runs, and whether address and credentials are right. Orders wait.'),
  carrier: ({ error, failures }) =>
    failures < FOR_SURE
      ? warn(
          'carrier',
          error,
          'If it goes on, look at the state of the carrier, and at the credentials of the account.',
        )
      : fail('carrier', error, 'Look at the state of the carrier, and at the credentials of the account. Texts wait.'),
  mail: ({ error }) =>
    fail('mail', error, 'Look whether the mail server of SMTP_URL works. Letters wait for two hours.'),
  // It is the company's own.
  webhook: ({ error }) => warn('webhook', error, 'The company has to look after its server. Events wait 43 minutes.'),
};

const findingOf = (report: FarEndReport): Finding => ({ ...FINDERS[report.kind](report), about: aboutOf(report) });

const aboutOf = ({ tenantName, name }: FarEnd): string => (tenantName === null ? name : `${tenantName}, ${name}`);
