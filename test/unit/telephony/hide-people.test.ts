import { withoutPeople } from '../../../src/telephony/model/texting/hide-people';

test('Operators see ids, states and times of a carrier’s call, but no texts and no numbers of people', () => {
  const call = {
    data: {
      id: 'b301ed3f-1490-491f-995f-6e64e69674d4',
      event_type: 'message.received',
      occurred_at: '2026-01-15T20:16:07.588Z',
      payload: {
        text: 'yes',
        from: { phone_number: '+15550200042', carrier: 'T-Mobile USA' },
        to: ['+1 555 010 0001'],
        media: [{ url: 'https://media.example.com/people/4711?token=x' }],
        parts: 1,
        errors: [],
      },
    },
  };
  expect(withoutPeople(JSON.stringify(call))).toEqual({
    data: {
      id: 'b301ed3f-1490-491f-995f-6e64e69674d4',
      event_type: 'message.received',
      occurred_at: '2026-01-15T20:16:07.588Z',
      payload: {
        text: '(3 characters)',
        from: { phone_number: '…042', carrier: '(12 characters)' },
        to: ['…001'],
        media: [{ url: 'https://media.example.com/…' }],
        parts: 1,
        errors: [],
      },
    },
  });
});

test('A form is shown by its fields, and what is neither form nor JSON hides what it says', () => {
  expect(withoutPeople('MessageSid=SM123&From=%2B15550200042&Body=Call+me&SmsStatus=received')).toEqual({
    MessageSid: 'SM123',
    From: '…042',
    Body: '(7 characters)',
    SmsStatus: 'received',
  });
  expect(withoutPeople('"call me at 5"')).toBe('(12 characters)');
});
