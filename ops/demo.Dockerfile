# What shows a product without an ERP: the emulator, and the program that builds the demo catalog
# through the admin API. An image of its own, so that none of it is in the image of the product;
# what goes into it stands in demo.Dockerfile.dockerignore.
FROM node:26-bookworm-slim AS packages
WORKDIR /demo
COPY package.json package-lock.json .npmrc ./
# Only pictures need a package.
RUN npm ci --omit=dev --workspaces=false \
  && mkdir kept && cp -r node_modules/sharp node_modules/@img node_modules/detect-libc node_modules/semver kept/

FROM node:26-bookworm-slim
ENV NODE_ENV=production
WORKDIR /demo
COPY --from=packages /demo/kept node_modules
COPY . .
USER node
EXPOSE 8181
CMD ["node", "packages/erp-emulator/main.ts"]
