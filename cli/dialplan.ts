/** `partyline instance dialplan`: the dial plan for Asterisk, and what an operator does with it once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { withEnvironment } from './session';

const FOLDER = join(__dirname, '../config/asterisk');
const FILES = ['extensions.conf', 'vm-empty.conf'] as const;

const STEPS = [
  {
    file: 'extensions.conf',
    lines: [
      '#include partyline/extensions.conf',
      '[globals]',
      'PARTYLINE_TRUNK=trunk             ; the endpoint that leads outside; without one, nothing does',
      '[from-internal]                   ; the context of extensions',
      'include => partyline-internal',
    ],
  },
  { file: 'voicemail.conf', lines: ['[general]', 'format = wav', '#include partyline/vm-*.conf'] },
  {
    file: 'modules.conf',
    lines: ['[modules]', 'noload => app_voicemail_odbc.so   ; when it fails to load, it takes VoiceMail() with it'],
  },
  { file: 'pjsip.conf', lines: ['[trunk]                           ; each trunk', 'context = partyline-inbound'] },
  {
    file: 'manager.conf',
    lines: [
      '[general]',
      'enabled = yes',
      'webenabled = yes                  ; over the port of http.conf, which ARI has too',
      'bindaddr = 127.0.0.1',
      '[partyline]',
      'secret = …                        ; for --ami partyline:…',
      'write = system,reporting,config,user',
    ],
  },
] as const;

const section = (title: string, body: string): string => `; ===== ${title}\n${body.trimEnd()}\n`;

export function addDialplanCommand(instance: Command): void {
  instance
    .command('dialplan')
    .description('print the dial plan for Asterisk, and what belongs around it')
    .action(
      withEnvironment(() => {
        const files = FILES.map((name) => ({
          path: `partyline/${name}`,
          content: readFileSync(join(FOLDER, name), 'utf8'),
        }));
        const text = [
          ...files.map(({ path, content }) => section(`${path}, below Asterisk's configuration directory`, content)),
          ...STEPS.map(({ file, lines }) => section(`once, in ${file}`, lines.join('\n'))),
          '; Then restart Asterisk, and: partyline instance set <uuid> --ami partyline:…; partyline instance test <uuid>',
        ].join('\n');
        return Promise.resolve({ data: { files, steps: STEPS }, text });
      }),
    );
}
