import {
  addressOf,
  formatOf,
  readFormat,
  readTemplate,
  templateOf,
} from '../../../../src/chat/model/markdown/patterns/url-template';
import { html, link } from './organisation';

const GROUPS = { var: 'value', hello: 'Hello World!', path: '/foo/bar', empty: '', x: '1024', y: '768', half: '50%' };
const expand = (template: string) => addressOf(readTemplate(`https://e.com${template}`), GROUPS).slice(13);

// Those of RFC 6570 whose values are texts.
test.each([
  ['/{var}', '/value'],
  ['/{hello}', '/Hello%20World%21'],
  ['/{half}', '/50%25'],
  ['/{+hello}', '/Hello%20World!'],
  ['/{+path}/here', '//foo/bar/here'],
  ['/{+path:6}/here', '//foo/b/here'],
  ['/{+half}', '/50%25'],
  ['/{#path,x}', '/#/foo/bar,1024'],
  ['/{x,y}', '/1024,768'],
  ['/X{.var}', '/X.value'],
  ['{/var,x}/here', '/value/1024/here'],
  ['/{;x,y,empty}', '/;x=1024;y=768;empty'],
  ['/{?x,y,empty}', '/?x=1024&y=768&empty='],
  ['/?fixed=yes{&x}', '/?fixed=yes&x=1024'],
  ['/{var:3}{var:30}{path*}', '/valvalue%2Ffoo%2Fbar'],
  ['/100%/{empty}', '/100%/'],
])('The template %s becomes %s', (template, expanded) => expect(expand(template)).toBe(expanded));

test.each(['{', '}', '{}', '{ x}', '{x', '{{x}}', '{!x}', '{x:0}', '{x:12345}', '{x|y}', ' {x}', '"{x}'])(
  'No template has %s',
  (part) => expect(() => readTemplate(`https://e.com/${part}`)).toThrow(),
);
test('A template is a web address', () => expect(() => readTemplate('javascript:{x}')).toThrow());

test.each([
  ['https://e.com/{x}?a=100%', 'https://e.com/%(x)s?a=100%%'],
  ['https://e.com{/x,y}{?y}{&x}{#x}', 'https://e.com/%(x)s/%(y)s?y=%(y)s&x=%(x)s#%(x)s'],
])('To clients of 2.1, %s is %s', (template, format) => {
  expect(formatOf(template)).toBe(format);
  expect(() => readFormat(format)).not.toThrow();
});

test('To clients of today, a format is a template that leads to the same places', () => {
  const template = templateOf('https://e.com/%(x)s?a=100%%&b={}');
  expect(template).toBe('https://e.com/{x}?a=100%&b=%7B%7D');
  expect(addressOf(readTemplate(template), GROUPS)).toBe('https://e.com/1024?a=100%&b=%7B%7D');
});

test('A linkifier that is written as a template leads where the template says', () => {
  const written = { id: 1, pattern: '~(?P<x>[^~]+)~', urlFormat: 'https://e.com/%(x)s' };
  const linkifiers = [{ ...written, urlTemplate: 'https://e.com/{x}' }];
  expect(html('~a/b~', { linkifiers })).toBe(`<p>${link('https://e.com/a%2Fb', '~a/b~')}</p>`);
  expect(html('~a/b~', { linkifiers: [written] })).toBe(`<p>${link('https://e.com/a/b', '~a/b~')}</p>`);
});
