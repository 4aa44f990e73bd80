/** A number, with the name that its caller shows. */
export function Party({ number, name = '' }: { number: string; name?: string }) {
  return (
    <>
      {number === '' ? '–' : number}
      {name !== '' && name !== number && <small>{name}</small>}
    </>
  );
}
