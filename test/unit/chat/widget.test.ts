import { Fault } from '../../../src/kernel/fault';
import { checkSubmessage } from '../../../src/chat/model/messages/submessage';
import { readWidget, widgetIn } from '../../../src/chat/model/messages/widget';

const read = (content: string): unknown => {
  const widget = widgetIn(content);
  return widget === null ? null : JSON.parse(widget);
};

describe('Widgets in the content of a message', () => {
  test.each([
    ['/poll', { question: '', options: [] }],
    ['/poll Lunch?', { question: 'Lunch?', options: [] }],
    ['/poll  Lunch? \n- soup\n* salad\n\n  bread \n-', { question: 'Lunch?', options: ['soup', 'salad', 'bread'] }],
    ['/poll Lunch?\r\nsoup\rsalad', { question: 'Lunch?', options: ['soup', 'salad'] }],
  ])('The message %j asks for a poll widget', (content, extra_data) => {
    expect(read(content)).toEqual({ widget_type: 'poll', extra_data });
  });

  test.each(['todo', 'tictactoe'])(
    'A message that begins with /%s asks for this widget, whatever follows',
    (widget_type) => {
      expect(read(`/${widget_type} for today`)).toEqual({ widget_type, extra_data: null });
    },
  );

  test.each(['poll', ' /poll x', '/polls', '/poll\nx', '/Poll x', '/me waves', 'x /poll'])(
    'The message %j asks for no widget',
    (content) => {
      expect(widgetIn(content)).toBeNull();
    },
  );

  test('The widget of the longest message fits its column', () => {
    for (const filling of ['"', '\u0001', '\u0001\n', 'a\n']) {
      const content = `/poll x\n${filling.repeat(5000)}`.slice(0, 10_000).trimEnd();
      expect(Buffer.byteLength(widgetIn(content)!)).toBeLessThan(65_535);
    }
  });
});

describe('Widgets that a bot sends', () => {
  const choice = { short_name: 'A', long_name: 'Answer A', reply: 'answer a' };
  const form = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'Choose', choices: [choice] } };
  const refused = (widget: unknown): string => {
    try {
      readWidget(typeof widget === 'string' ? widget : JSON.stringify(widget));
      return '';
    } catch (error) {
      return error instanceof Fault ? error.message : String(error);
    }
  };
  const extra = (more: object) => ({ ...form, extra_data: { ...form.extra_data, ...more } });

  test('A widget that a bot sends is a form with choices', () => {
    expect(JSON.parse(readWidget(JSON.stringify(form)))).toEqual(form);
  });

  test.each<[string, unknown]>([
    ['API programmer sent invalid JSON content', '{"widget_type":'],
    ['API programmer sent invalid JSON content', '['.repeat(40) + ']'.repeat(40)],
    ['widget_content is not a dict', []],
    ['widget_type is not in widget_content', { extra_data: {} }],
    ['extra_data is not in widget_content', { widget_type: 'zform' }],
    ['extra_data is not a dict', { ...form, extra_data: 'x' }],
    ['unknown widget type: poll', { ...form, widget_type: 'poll' }],
    ['zform is missing type field', { ...form, extra_data: {} }],
    ['unknown zform type: text', extra({ type: 'text' })],
    ['heading key is missing from extra_data', { ...form, extra_data: { type: 'choices', choices: [] } }],
    ['extra_data["heading"] is not a string', extra({ heading: 4 })],
    ['extra_data["choices"] is not a list', extra({ choices: {} })],
    ['choices key is missing from extra_data', { ...form, extra_data: { type: 'choices', heading: '' } }],
    ['extra_data["choices"][0] is not a dict', extra({ choices: ['x'] })],
    ['reply key is missing from extra_data["choices"][0]', extra({ choices: [{ short_name: '', long_name: '' }] })],
  ])('A malformed widget is refused with "Widgets: %s"', (why, widget) => {
    expect(refused(widget)).toBe(`Widgets: ${why}`);
  });
});

test('A submessage is JSON, not too deep and not too long', () => {
  expect(() => checkSubmessage('{"type":"vote"}')).not.toThrow();
  for (const content of ['', '{', '['.repeat(40) + ']'.repeat(40)]) {
    expect(() => checkSubmessage(content)).toThrow('Invalid json for submessage');
  }
  expect(() => checkSubmessage(JSON.stringify('x'.repeat(9999)))).toThrow('content is too long (limit: 10000 bytes)');
});
