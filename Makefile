# Short names for what dev.py does; a machine without make loses nothing.
.PHONY: run test chaos bench shots
run:
	python3 dev.py run
test:
	python3 dev.py test
chaos:
	python3 dev.py chaos
bench:
	python3 dev.py bench
shots:
	python3 dev.py shots
