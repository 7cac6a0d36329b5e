"""The wire to measuring: the only part of the gate, beside its commands, that imports replay."""
