/** Says how the owner of a company was invited. */
import { t } from '../../shared/texts/texts';

export interface Invitation {
  readonly email: string;
  /** To hand over, if the server sends no mail. */
  readonly link: string | null;
}

export const InvitationWords = ({ email, link }: Invitation) => (
  <p>
    {t(link === null ? 'tenant.mailed' : 'tenant.handOver', { email })} {link !== null && <code>{link}</code>}
  </p>
);
