import { startAsterisk } from '../../support/telephony/asterisk/asterisk';
import { play } from '../../support/telephony/asterisk/exchanges';
import { hasPrograms } from '../../../scripts/lib/test/test-programs';
import { recorded } from '../../../simulators/pbx/asterisk/recorded';
import { ownDirectory } from '../../support/servers/services';

type Asterisk = Awaited<ReturnType<typeof startAsterisk>>;

// The simulated Asterisk answers from the same record: test/unit/simulators/asterisk-answers.test.ts.
(hasPrograms(['asterisk']) ? describe : describe.skip)('Recorded answers of Asterisk', () => {
  describe.each(['memory', 'astdb'] as const)('Asterisk with objects in %s', (keptIn) => {
    const folder = ownDirectory();
    let running: Asterisk;
    beforeAll(async () => void (running = await startAsterisk({ dir: folder.path, keptIn })));
    afterAll(async () => {
      await running.stop();
      folder.remove();
    });

    const scenarios = recorded.scenarios.filter((scenario) => scenario.keptIn === keptIn);
    test.each(scenarios)('A real Asterisk still answers as recorded: $title', async ({ steps }) => {
      const { url, port, sipPort, password } = running;
      const credentials = { partyline: `partyline:${password}`, reader: `reader:${password}`, nobody: 'nobody:wrong' };
      const restart = async () => {
        await running.stop();
        running = await startAsterisk({ dir: folder.path, keptIn, port, sipPort, password });
      };
      for (const step of steps) {
        const { status, shown, answer, reset } = step;
        const came = await play({ url, credentials, restart }, step, recorded.defaults);
        // A later version may have further attributes.
        const seen =
          came.shown &&
          Object.fromEntries(Object.entries(came.shown).filter(([name]) => isKnown(name) || name in (shown ?? {})));
        expect({ step, ...came, shown: seen }).toEqual({ step, status, shown, answer, reset });
      }
    });
  });
});

const KNOWN = new Set(Object.values(recorded.defaults).flatMap((attributes) => Object.keys(attributes)));
const isKnown = (name: string): boolean => KNOWN.has(name);
