# One image for every role: node (the default), worker, cli and pbx-simulator; see deploy/entrypoint.sh.
#
#   docker build -t partyline .
#   docker run partyline node
#   docker run partyline worker [names]
#   docker run partyline cli migrate
#   docker run partyline pbx-simulator

FROM node:24-bookworm-slim AS build
WORKDIR /app
# The packages first: they change seldom, and this layer is kept until they do.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --include=dev
COPY . .
RUN node scripts/build.js --production

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Only single pictures of emoji are served: the sheets that hold all of them at once stay out of the image.
RUN npm ci --ignore-scripts --omit=dev \
    && rm -rf node_modules/emoji-datasource-google/img/google/sheets*

FROM node:24-bookworm-slim AS runtime
# Requests that are held live longer than most: with room for a second's worth of them, few are moved by the collector.
ENV NODE_ENV=production \
    NODE_OPTIONS=--max-semi-space-size=32 \
    HOST=0.0.0.0 \
    PORT=9991 \
    WORKER_PORT=9990 \
    PBX_SIM_PORT=9981 \
    DATA_DIR=/data
WORKDIR /app
# The one place the program may write to, and only the simulator does.
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY deploy/entrypoint.sh deploy/healthcheck.js ./deploy/
USER node
EXPOSE 9991
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "deploy/healthcheck.js"]
ENTRYPOINT ["/app/deploy/entrypoint.sh"]
CMD ["node"]
