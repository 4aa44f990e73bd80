/** The configuration for signing in to the portal. */
import type { MailerSettings } from '../../../kernel/mail/mailer';
import type { RateRule } from '../../../kernel/settings';

export interface PortalSettings extends MailerSettings {
  /** The public base URL. */
  readonly publicUrl: string;
  readonly authMethods: readonly string[];
  readonly sessionDays: number;
  readonly loginLimit: RateRule | null;
  readonly passwordResetLimit: RateRule | null;
  readonly outboundNetworks: readonly string[];
  readonly outboundHosts: Readonly<Record<string, string>>;
}

export const isForDevelopment = ({ nodeEnv, authMethods }: PortalSettings): boolean =>
  nodeEnv !== 'production' && authMethods.includes('dev');
