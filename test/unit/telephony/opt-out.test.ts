import { consentWordOf, helpText } from '../../../src/telephony/model/texting/opt-out';
import { segmentsOf } from '../../../src/telephony/model/texting/text-segments';

test.each(['STOP', 'stop', ' Stop\n', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPTOUT', 'REVOKE'])(
  'The word %j opts out',
  (text) => {
    expect(consentWordOf(text)).toBe('stop');
  },
);
test.each(['START', 'yes', 'UNSTOP'])('The word %j opts in again', (text) => expect(consentWordOf(text)).toBe('start'));
test.each(['HELP', 'info'])('The word %j asks for help', (text) => expect(consentWordOf(text)).toBe('help'));
test.each(['STOP PLEASE', 'STOP.', 'please stop', '', 'STOPPED', 'no', 'S T O P'])(
  'The text %j is an ordinary text',
  (text) => expect(consentWordOf(text)).toBeUndefined(),
);

test('The answer to HELP is no keyword itself, and is short', () => {
  expect(consentWordOf(helpText('Example Telecom'))).toBeUndefined();
  expect(consentWordOf(helpText(''))).toBeUndefined();
  expect(segmentsOf(helpText('x'.repeat(190))).count).toBeLessThanOrEqual(2);
  expect(segmentsOf(helpText('Example Telecom')).count).toBe(1);
});
