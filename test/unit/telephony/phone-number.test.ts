import fc from 'fast-check';
import { numberField, readNumber } from '../../../src/telephony/model/texting/phone-number';

describe('readNumber', () => {
  test.each([
    ['+15550100001', '+15550100001'],
    ['15550100001', '+15550100001'],
    ['5550100001', '+15550100001'],
    ['(555) 010-0001', '+15550100001'],
    ['1-555-010-0001', '+15550100001'],
    ['1.555.010.0001', '+15550100001'],
    ['+44 20 7946 0958', '+442079460958'],
    [' 442079460958', '+442079460958'],
    [' 15550100001', '+15550100001'],
    ['+1234567', '+1234567'],
    ['+123456789012345', '+123456789012345'],
  ])('The number "%s" is read as %s', (raw, e164) => {
    expect(readNumber(raw)).toBe(e164);
  });

  test.each([
    '',
    '+',
    'STOP',
    '12345',
    '442079460958',
    '0550100001',
    '1550100001',
    '+0123456789',
    '+123456',
    '+1234567890123456',
    '555010000x',
    '++15550100001',
    '25550100001',
  ])('The text %j is refused as a number', (raw) => {
    expect(readNumber(raw)).toBeUndefined();
  });

  test('A number in E.164 is read as itself, whatever separates its digits', () => {
    const digits = fc.stringMatching(/^[1-9]\d{6,14}$/);
    fc.assert(
      fc.property(digits, fc.constantFrom('', ' ', '-', '.'), (number, separator) => {
        const e164 = readNumber(`+${number}`);
        expect(e164).toBe(`+${number}`);
        expect(readNumber(`+${Array.from(number).join(separator)}`)).toBe(e164);
      }),
    );
  });

  test('A number field keeps the text that was entered, and says what is wrong', () => {
    expect(numberField.parse('(555) 010-0001')).toEqual({ e164: '+15550100001', raw: '(555) 010-0001' });
    expect(numberField.parse(15550100001)).toEqual({ e164: '+15550100001', raw: '15550100001' });
    expect(numberField.safeParse('nobody').error?.issues[0]?.message).toContain('telephone number');
    expect(numberField.safeParse(null).success).toBe(false);
  });
});
