/** The icon of an organisation, or the product's own mark if it has none on this server. */
import own from '../../../src/kernel/api-docs/mark.svg';
import classes from './mark.module.css';

export function Mark({ organisation = '', size }: { organisation?: string; size: number }) {
  // A default icon is drawn by another server, and says nothing.
  const isUploaded = organisation.startsWith('/');
  return <img className={classes.mark} src={isUploaded ? organisation : own} alt="" width={size} height={size} />;
}
