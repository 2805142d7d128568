// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title The settlement token of local networks
/// @notice An ERC-20 that anyone may mint. It takes the place of USDC on local networks, so it must never be deployed
/// where its tokens could be mistaken for money.
contract DevToken is ERC20 {
    uint8 private immutable DECIMALS;

    /// @param decimals_ 6 like USDC; 18 on one local network, so that scaling is always tested.
    constructor(string memory name_, string memory symbol_, uint8 decimals_) ERC20(name_, symbol_) {
        DECIMALS = decimals_;
    }

    /// @notice Creates `amount` base units for `to`. Anyone may call it.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function decimals() public view override returns (uint8) {
        return DECIMALS;
    }
}
