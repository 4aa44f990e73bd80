/** Mailers of products: operators see their mail server among the far ends. */
import { noteFarEnd } from '../far-ends/far-end-notes';
import type { Kernel } from '../kernel';
import type { Keyspace } from '../redis/connections';
import { MailRefused } from './letter';
import { openMailer, type Mailer, type MailerSettings } from './mailer';
import { keepShown } from './shown-letters';

/** There is one mail server for all products. */
export const MAIL_SERVER = { kind: 'mail', id: 'smtp' } as const;

export function openNotedMailer(kernel: Keyspace & Pick<Kernel, 'log'>, settings: MailerSettings): Mailer {
  const mailer = openMailer(settings, kernel.log);
  if (mailer.mode !== 'smtp') return mailer;
  return {
    mode: mailer.mode,
    async send(letter) {
      try {
        await mailer.send(letter);
      } catch (error) {
        // A refused letter was answered: the server works.
        const isFailing = !(error instanceof MailRefused);
        await noteFarEnd(kernel, MAIL_SERVER, isFailing ? { error: wordsOf(error) } : {});
        throw error;
      }
      await noteFarEnd(kernel, MAIL_SERVER, {});
    },
  };
}

/** For a product that keeps no rows of its letters: on a development server, they can be looked up all the same. */
export function openKeepingMailer(kernel: Keyspace & Pick<Kernel, 'log'>, settings: MailerSettings): Mailer {
  const mailer = openNotedMailer(kernel, settings);
  if (mailer.mode !== 'shown') return mailer;
  return {
    mode: mailer.mode,
    async send(letter) {
      await mailer.send(letter);
      await keepShown(kernel, letter);
    },
  };
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
