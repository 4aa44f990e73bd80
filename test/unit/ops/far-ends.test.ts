import { findFailing, type FarEndReport } from '../../../src/ops/model/far-end';

const calm: FarEndReport = {
  kind: 'pbx',
  id: 'one',
  tenant: 'tel:7',
  tenantName: 'Sparrow Ltd',
  name: 'Main office (freepbx, pbx.example)',
  work: { workQueue: 'pbx', subject: 'one' },
  succeededAt: new Date(),
  failedAt: null,
  error: '',
  failingSince: null,
  failures: 0,
};
const failing = (more: Partial<FarEndReport>): FarEndReport => ({
  ...calm,
  failingSince: new Date(),
  failures: 3,
  error: 'The PBX did not answer',
  ...more,
});

describe('Findings about far ends', () => {
  test('There is no problem while everything that was called works, or nothing was called', () => {
    expect(findFailing([calm, { ...calm, succeededAt: null }])).toMatchObject([{ check: 'far-ends', level: 'ok' }]);
    expect(findFailing([])).toMatchObject([{ level: 'ok' }]);
  });

  test.each(['pbx', 'carrier', 'mail', 'webhook'] as const)(
    'A failing %s is named with company, place and cause',
    (kind) => {
      expect(findFailing([calm, failing({ kind })])).toEqual([
        {
          check: kind,
          level: kind === 'webhook' ? 'warn' : 'fail',
          about: 'Sparrow Ltd, Main office (freepbx, pbx.example)',
          says: 'The PBX did not answer',
          advice: expect.any(String),
        },
      ]);
    },
  );

  test('One failed call is a warning, and of many far ends the first ten are named', () => {
    expect(findFailing([failing({ failures: 1 })])).toMatchObject([{ level: 'warn' }]);
    const many = Array.from({ length: 13 }, (_, n) => failing({ id: String(n), kind: n < 12 ? 'webhook' : 'pbx' }));
    const found = findFailing(many);
    expect(found).toHaveLength(11);
    expect(found[0]).toMatchObject({ check: 'pbx' });
    expect(found.at(-1)).toMatchObject({ check: 'far-ends', says: '3 more fail' });
  });
});
