"""Programs of the thirteenth final part: things to read, references, discussions and offers."""
