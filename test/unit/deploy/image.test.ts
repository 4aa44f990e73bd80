// Everything that the Dockerfile and the compose files name exists, and they do what operators rely on.
import fs from 'node:fs';
import path from 'node:path';
import { variables } from '../../../config/variables';

const root = path.resolve(__dirname, '../../..');
const read = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');

/** The instructions, continued lines joined, without comments. */
const instructions = read('Dockerfile')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line))
  .map((line) => ({ word: line.slice(0, line.indexOf(' ')), rest: line.slice(line.indexOf(' ') + 1).trim() }));

const all = (word: string): string[] => instructions.filter((each) => each.word === word).map((each) => each.rest);

describe('Dockerfile', () => {
  it('The Dockerfile copies only files that exist and that .dockerignore does not exclude', () => {
    const sources = all('COPY')
      .filter((rest) => !rest.startsWith('--from'))
      .flatMap((rest) => rest.split(/\s+/).slice(0, -1));
    expect(sources.length).toBeGreaterThan(4);
    const ignored = read('.dockerignore').split('\n');
    for (const source of sources) {
      expect([source, fs.existsSync(path.join(root, source))]).toEqual([source, true]);
      expect(ignored).not.toContain(source);
    }
  });

  it('The Dockerfile builds in named stages on Debian and copies only from these', () => {
    const stages = all('FROM').map((rest) => /^node:24-bookworm-slim AS (\w+)$/.exec(rest)?.[1]);
    expect(stages).toEqual(['build', 'packages', 'runtime']);
    const from = all('COPY').flatMap((rest) => /^--from=(\w+)/.exec(rest)?.[1] ?? []);
    expect(from.every((stage) => stages.includes(stage))).toBe(true);
  });

  it('The Dockerfile downloads only packages and runs none of their scripts', () => {
    expect(all('ADD')).toEqual([]);
    expect(all('RUN').join('\n')).not.toMatch(/curl|wget|https?:/);
    const installs = all('RUN').filter((rest) => rest.includes('npm '));
    expect(installs).toHaveLength(2);
    for (const install of installs) expect(install).toMatch(/^npm ci --ignore-scripts /);
  });

  it('The image runs as an ordinary user, listens on all interfaces and has a health check', () => {
    expect(all('USER')).toEqual(['node']);
    expect(all('ENV').join(' ')).toMatch(/NODE_ENV=production .*HOST=0\.0\.0\.0/);
    expect(all('HEALTHCHECK').join()).toContain('CMD ["node", "deploy/healthcheck.js"]');
    expect(all('ENTRYPOINT')).toEqual(['["/app/deploy/entrypoint.sh"]']);
    expect(fs.statSync(path.join(root, 'deploy/entrypoint.sh')).mode & 0o111).toBe(0o111);
  });

  it('The image contains the built pages', () => {
    expect(all('RUN')).toContain('node scripts/build.js --production');
    expect(read('scripts/build.js')).toContain('await ensureWebBuild(');
    expect(all('COPY')).toContain('--from=build /app/dist ./dist');
    expect(read('.dockerignore').split('\n')).not.toContain('web');
  });

  it('The image leaves out secrets, history and build output', () => {
    const ignored = read('.dockerignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', 'node_modules', 'dist', '.data', '.cache', '**/.env']));
  });
});

describe('Compose file', () => {
  const compose = read('deploy/compose.yaml');
  const service = (name: string): string =>
    new RegExp(`^  ${name}:\\n((?:    .*\\n|\\n)+)`, 'm').exec(compose)?.[1] ?? '';

  it('The compose file has every service', () => {
    for (const name of ['haproxy', 'migrate', 'node-1', 'node-2', 'worker-1', 'worker-2', 'redis', 'mysql']) {
      expect([name, service(name) !== '']).toEqual([name, true]);
    }
  });

  it('The compose file runs the version of MariaDB that the tests run on', () => {
    const [, tested] = /the tests run on (10\.\d+)/.exec(read('README.md')) ?? [];
    expect(service('mysql')).toContain(`image: mariadb:${tested}`);
  });

  it('The compose file sets only variables that the program knows', () => {
    const block = /^x-environment: &environment\n((?: {2}.*\n)+)/m.exec(compose)?.[1] ?? '';
    const names = [...block.matchAll(/^ {2}([A-Z_]+):/gm)].map((match) => match[1]);
    const known = Object.values(variables).map((variable) => variable.name);
    expect(names).toEqual(expect.arrayContaining(['SECRET_KEY', 'DATABASE_URL', 'REDIS_URL', 'METRICS_TOKEN']));
    expect(known).toEqual(expect.arrayContaining([...names, 'NODE_NAME']));
  });

  it('The compose file uses exactly the variables of its example, and the example holds no secret', () => {
    const asked = [...compose.matchAll(/(?<!\$)\$\{([A-Z_]+)/g)].map((match) => match[1]);
    const example = read('deploy/.env.example');
    const offered = [...example.matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]);
    expect(new Set(offered)).toEqual(new Set(asked));
    expect(example).not.toMatch(/^\w*(KEY|PASSWORD|TOKEN)=.+/m);
  });

  it('The compose file publishes only the load balancer, and the services only on loopback', () => {
    expect([...compose.matchAll(/ports:/g)]).toHaveLength(1);
    expect(service('haproxy')).toContain('ports:');
    const published = [...read('deploy/compose.services.yaml').matchAll(/ports: \['([^:]+):/g)].map(
      (match) => match[1],
    );
    expect(published).toEqual(['127.0.0.1', '127.0.0.1']);
  });

  it('The compose file trusts the address of the load balancer and no other', () => {
    const address = /ipv4_address: ([\d.]+)/.exec(service('haproxy'))?.[1];
    expect(compose).toContain(`TRUSTED_PROXIES: ${address}\n`);
  });

  it('The compose file makes Redis durable and sets MariaDB to utf8mb4', () => {
    for (const flag of ['--appendonly yes', '--appendfsync everysec', '--maxmemory-policy noeviction']) {
      expect(service('redis')).toContain(flag);
    }
    expect(service('mysql')).toContain('--character-set-server=utf8mb4');
  });
});
