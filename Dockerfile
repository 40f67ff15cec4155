# Build stage: a static binary; equal sources give equal bytes.
FROM golang:1.26.8 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=auto -ldflags="-s -w" -o /out/knobel ./cmd/knobel
RUN mkdir -p /out/data && sh deploy/licences >/out/LICENCES.txt && go run ./cmd/knobel-sbom /out/knobel >/out/SBOM.cdx.json

# Image: only the binary, its licences and bill of materials, certificates, time zones and an empty data folder.
FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /usr/share/zoneinfo /usr/share/zoneinfo
COPY --from=build /out/knobel /knobel
COPY --from=build /out/LICENCES.txt /out/SBOM.cdx.json /
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
ENV KNOBEL_LISTEN=:8080 KNOBEL_DB=/data/knobel.db
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/knobel", "health"]
ENTRYPOINT ["/knobel"]
