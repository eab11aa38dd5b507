# Short names for what dev.py does; a machine without make loses nothing.
.PHONY: run test fast chaos bench shots
run:
	python3 dev.py run
test:
	python3 dev.py test
fast:
	python3 dev.py test --fast
chaos:
	python3 dev.py chaos
bench:
	python3 dev.py bench
shots:
	python3 dev.py shots
