import { consentWordOf, helpText } from '../../../src/telephony/model/texting/opt-out';
import { segmentsOf } from '../../../src/telephony/model/texting/text-segments';

test.each(['STOP', 'stop', ' Stop\n', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPTOUT', 'REVOKE'])(
  '%j stops',
  (text) => {
    expect(consentWordOf(text)).toBe('stop');
  },
);
test.each(['START', 'yes', 'UNSTOP'])('%j starts again', (text) => expect(consentWordOf(text)).toBe('start'));
test.each(['HELP', 'info'])('%j asks for help', (text) => expect(consentWordOf(text)).toBe('help'));
test.each(['STOP PLEASE', 'STOP.', 'please stop', '', 'STOPPED', 'no', 'S T O P'])('%j is a text', (text) =>
  expect(consentWordOf(text)).toBeUndefined(),
);

test('the answer to HELP is no word that means anything itself, and not long', () => {
  expect(consentWordOf(helpText('Example Telecom'))).toBeUndefined();
  expect(consentWordOf(helpText(''))).toBeUndefined();
  expect(segmentsOf(helpText('x'.repeat(190))).count).toBeLessThanOrEqual(2);
  expect(segmentsOf(helpText('Example Telecom')).count).toBe(1);
});
