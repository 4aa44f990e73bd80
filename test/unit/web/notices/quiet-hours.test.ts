import { isQuietAt } from '../../../../src/chat/model/users/quiet-hours';
import { isWithin } from '../../../../web/chat/notices/quiet-hours';

test.each(['Europe/Berlin', 'America/St_Johns', 'Pacific/Auckland'])(
  'The page and the server agree when it is quiet in %s',
  (timezone) => {
    const start = Date.parse('2026-10-20T00:00:00Z');
    for (const [from, to, days] of [
      ['22:00', '06:30', '15'],
      ['08:15', '12:45', '67'],
      ['09:00', '09:00', '3'],
    ] as const) {
      const stored = {
        enable_quiet_hours: true,
        quiet_hours_from: from,
        quiet_hours_to: to,
        quiet_hours_days: days,
      };
      for (let quarter = 0; quarter < 8 * 96; quarter += 7) {
        const at = new Date(start + quarter * 900_000);
        expect({ at, isQuiet: isWithin({ from, to, days, timezone }, at) }).toEqual({
          at,
          isQuiet: isQuietAt(stored, timezone, at),
        });
      }
    }
  },
);
