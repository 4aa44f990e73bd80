/** The tables of a database as they are, and what of a change to them would break programs that know them as they were. */
import type { Knex } from 'knex';

interface Column {
  readonly type: string;
  readonly collation: string | null;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
}

interface Index {
  readonly columns: string;
  readonly isUnique: boolean;
}

export interface Table {
  readonly columns: ReadonlyMap<string, Column>;
  readonly indexes: ReadonlyMap<string, Index>;
  readonly references: ReadonlySet<string>;
}

export type Schema = ReadonlyMap<string, Table>;

type Row = Readonly<Record<string, string | null>>;

const rowsOf = async (db: Knex, sql: string): Promise<Row[]> => ((await db.raw(sql)) as [Row[]])[0];

export async function readSchema(db: Knex): Promise<Schema> {
  const columns = await rowsOf(
    db,
    'SELECT table_name AS t, column_name AS c, column_type AS type, collation_name AS collation, is_nullable AS nullable, ' +
      'column_default AS dflt, extra AS extra FROM information_schema.columns WHERE table_schema = DATABASE()',
  );
  const indexes = await rowsOf(
    db,
    'SELECT table_name AS t, index_name AS i, GROUP_CONCAT(column_name ORDER BY seq_in_index) AS c, MIN(non_unique) AS n ' +
      'FROM information_schema.statistics WHERE table_schema = DATABASE() GROUP BY table_name, index_name',
  );
  const references = await rowsOf(
    db,
    'SELECT table_name AS t, constraint_name AS k FROM information_schema.referential_constraints ' +
      'WHERE constraint_schema = DATABASE()',
  );
  const tables = [...new Set(columns.map(({ t }) => t!))].filter((name) => !name.startsWith('kernel_migrations'));
  return new Map(
    tables.map((name) => {
      const own = (rows: readonly Row[]) => rows.filter(({ t }) => t === name);
      return [
        name,
        {
          columns: new Map(own(columns).map((row) => [row['c']!, columnOf(row)])),
          indexes: new Map(
            own(indexes).map((row) => [row['i']!, { columns: row['c']!, isUnique: Number(row['n']) === 0 }]),
          ),
          references: new Set(own(references).map(({ k }) => k!)),
        },
      ];
    }),
  );
}

const columnOf = ({ type, collation, nullable, dflt, extra }: Row): Column => ({
  type: type!,
  collation: collation ?? null,
  isNullable: nullable === 'YES',
  hasDefault: dflt !== null || nullable === 'YES' || /auto_increment|GENERATED/i.test(extra ?? ''),
});

/** Each in words; none where programs of before can go on. */
export function breakagesOf(before: Schema, after: Schema): string[] {
  return [...before].flatMap(([name, table]) => {
    const now = after.get(name);
    return now ? [...brokenColumns(name, table, now), ...brokenKeys(name, table, now)] : [`table ${name} is gone`];
  });
}

function brokenColumns(table: string, before: Table, after: Table): string[] {
  const kept = [...before.columns].flatMap(([name, column]) => {
    const now = after.columns.get(name);
    return now ? brokenColumn(`${table}.${name}`, column, now) : [`column ${table}.${name} is gone`];
  });
  const added = [...after.columns].filter(([name, column]) => !before.columns.has(name) && !column.hasDefault);
  return [...kept, ...added.map(([name]) => `column ${table}.${name} is new and needs a value`)];
}

function brokenColumn(name: string, before: Column, after: Column): string[] {
  const broken: string[] = [];
  if (!holds(after.type, before.type)) broken.push(`column ${name} was ${before.type} and is ${after.type}`);
  if (before.collation !== after.collation) broken.push(`column ${name} compares otherwise`);
  if (before.isNullable !== after.isNullable) {
    broken.push(`column ${name} ${after.isNullable ? 'may be' : 'must not be'} NULL now`);
  }
  if (before.hasDefault && !after.hasDefault) broken.push(`column ${name} needs a value now`);
  return broken;
}

function brokenKeys(table: string, before: Table, after: Table): string[] {
  const gone = [...before.indexes].filter(([name, index]) => {
    const now = after.indexes.get(name);
    return now?.columns !== index.columns || now.isUnique !== index.isUnique;
  });
  const unique = [...after.indexes].filter(([name, { isUnique }]) => isUnique && !before.indexes.has(name));
  const bound = [...after.references].filter((name) => !before.references.has(name));
  return [
    ...gone.map(([name]) => `index ${table}.${name} is gone or another`),
    ...unique.map(([name]) => `index ${table}.${name} allows less`),
    ...bound.map((name) => `reference ${table}.${name} allows less`),
  ];
}

const INTEGERS = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint'];
const TEXTS = ['tinytext', 'text', 'mediumtext', 'longtext'];
const BLOBS = ['tinyblob', 'blob', 'mediumblob', 'longblob'];

interface Type {
  readonly word: string;
  readonly size: number;
  readonly rest: string;
}

function typeOf(text: string): Type {
  const [, word = '', size = '0', rest = ''] = /^(\w+)(?:\((\d+)\))?(.*)$/.exec(text) ?? [];
  return { word, size: Number(size), rest };
}

/** Whether the one type holds all values of the other, and shows them alike. */
function holds(wide: string, narrow: string): boolean {
  if (wide === narrow) return true;
  const [after, before] = [typeOf(wide), typeOf(narrow)];
  if (after.rest !== before.rest) return false;
  if (after.word === before.word) return INTEGERS.includes(after.word) || after.size >= before.size;
  const grows = (words: readonly string[]) =>
    words.includes(before.word) && words.indexOf(after.word) > words.indexOf(before.word);
  return grows(INTEGERS) || grows(TEXTS) || grows(BLOBS) || (before.word === 'varchar' && TEXTS.includes(after.word));
}
