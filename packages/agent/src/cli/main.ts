process.stdout.write("pi-ts\n");
