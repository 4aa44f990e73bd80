/** An event and a row of the sizes that the product's own have. */

/** 1.2 KB of JSON, the size of a message event. */
export const EVENT = JSON.stringify({
  type: 'message',
  message: {
    id: 123_456,
    sender_id: 42,
    sender_email: 'member@example.com',
    sender_full_name: 'A Member',
    stream_id: 7,
    display_recipient: 'general',
    subject: 'benchmarks',
    timestamp: 1_700_000_000,
    content: `<p>${'Lorem ipsum dolor sit amet, consectetur adipiscing elit. '.repeat(15)}</p>`,
    content_type: 'text/html',
  },
  flags: [],
}).padEnd(1200, ' ');

/** 600 bytes, the size of a message row. */
export const ROW = 'x'.repeat(600);
