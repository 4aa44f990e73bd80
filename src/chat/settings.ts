/** The part of the configuration that chat uses. */
import type { MailerSettings } from '../kernel/mail/mailer';
import type { RateRule } from '../kernel/settings';

/** How mail is sent, and how long its links stay valid. */
export interface MailSettings extends MailerSettings {
  readonly mailRetryMs: number;
  readonly mailGiveUpMs: number;
  readonly missedMailMs: number;
  readonly invitationDays: number;
  readonly invitationsPerDay: number;
  readonly passwordResetMs: number;
  readonly passwordResetLimit: RateRule | null;
}

export interface ChatSettings extends MailSettings {
  readonly publicUrl: string;
  /** Whether this server also runs the telephony portal; if so, the sign-in page links to it. */
  readonly hasPortal?: boolean;
  readonly externalHost: string;
  readonly jitsiServerUrl: string;
  readonly authMethods: readonly string[];
  readonly externalLogins: readonly {
    readonly name: string;
    readonly display_name: string;
    readonly display_icon: string | null;
    readonly login_url: string;
    readonly signup_url: string;
  }[];
  readonly minimumClients: Readonly<Record<string, string>>;
  readonly loginLimit: RateRule | null;
  readonly sessionDays: number;
  readonly openidCallMs: number;
  readonly eventsRateLimit: RateRule | null;
  readonly pollFastPath: 'on' | 'off';
  readonly heartbeatMinMs: number;
  readonly heartbeatMaxMs: number;
  readonly queueExpiryMs: number;
  readonly webhookBacklog: number;
  readonly messagesLimitBytes: number;
  readonly chatTruncate: 'on' | 'off';
  readonly chatFeatureLevel: 'on' | 'off';
  readonly push: 'on' | 'off';
  readonly pushPauseMs: number;
  readonly outboundNetworks: readonly string[];
  readonly outboundHosts: Readonly<Record<string, string>>;
}
