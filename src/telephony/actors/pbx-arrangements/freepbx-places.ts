/** Where calls go on a FreePBX: as its mutations take it, and as it shows the destination of an inbound route. */
import type { Destination } from '../../model/arrangements/arrangement';

const HANGUP = 'app-blackhole,hangup,1';
const BUSY = 'app-blackhole,busy,1';

const extensionPlace = (number: string | number): string => `from-did-direct,${number},1`;
const mailboxPlace = (number: string | number): string => `ext-local,vmu${number},1`;
const groupPlace = (number: string | number): string => `ext-group,${number},1`;

/** Nothing is hanging up: FreePBX has no ring group without a destination. */
export function freePbxPlace(destination: Destination | null): string {
  if (destination === null) return HANGUP;
  const number = destination.number ?? 0;
  switch (destination.type) {
    case 'extension':
      return extensionPlace(number);
    case 'voicemail':
      return mailboxPlace(number);
    case 'ring_group':
      return groupPlace(number);
    case 'busy':
      return BUSY;
    case 'hangup':
      return HANGUP;
  }
}

/** The API shows the words of FreePBX's page, with the number before the name, and nothing else. */
const SHOWN: readonly (readonly [RegExp, (number: string) => string])[] = [
  [/^(?:Extensions|Users): *(\d+)(?: |$)/, extensionPlace],
  [/^Voicemail: *(\d+) .*\(Unavailable Message\)$/s, mailboxPlace],
  [/^Ring Groups: *(\d+)(?: |$)/, groupPlace],
  [/^Terminate Call: *Busy$/, () => BUSY],
  [/^Terminate Call: *Hangup$/, () => HANGUP],
];

/** What is not understood is different from everything that is pushed. */
export function shownPlace(shown: string | null): string {
  for (const [form, placeOf] of SHOWN) {
    const found = form.exec(shown ?? '');
    if (found) return placeOf(found[1] ?? '');
  }
  return `shown as ${shown ?? 'nothing'}`;
}
